/** What stands in for an issue tracker: a real HTTP server that checks what arrives and keeps the issues that were made. */
import { createServer, type IncomingHttpHeaders } from 'node:http'
import type { AddressInfo } from 'node:net'

export type TrackerRequest = {
  readonly method: string
  readonly path: string
  readonly query: URLSearchParams
  readonly headers: IncomingHttpHeaders
  /** Parsed; undefined for none. */
  readonly body: unknown
}
export type TrackerAnswer = {
  readonly status: number
  /** A text goes out as it is. */
  readonly body?: unknown
  readonly headers?: Readonly<Record<string, string>>
}

export type KeptIssue = {
  readonly number: number
  readonly id: string
  readonly place: string
  title: string
  text: unknown
  isOpen: boolean
  changedMs: number
  readonly comments: unknown[]
  /** `state_reason`, name of the status, … as the tracker has it. */
  detail: string
}

export type TrackerServer = {
  readonly url: string
  /** `METHOD /path` of each, with what was asked. */
  readonly requests: readonly TrackerRequest[]
  readonly issues: KeptIssue[]
  /** What the next requests are answered, before anything is looked at. */
  refuse(...answers: readonly TrackerAnswer[]): void
  /** An issue that somebody made there. */
  add(place: string, title: string): KeptIssue
  close(): void
}

export type TrackerTools = {
  readonly issues: KeptIssue[]
  add(place: string, title: string, text?: unknown, id?: string): KeptIssue
  /** Later than any time before, whatever the clock of the test says. */
  touch(issue: KeptIssue): void
}

const FIRST_MS = Date.UTC(2026, 0, 31, 12, 0, 0)

export async function startTrackerServer(
  answer: (request: TrackerRequest, tools: TrackerTools) => TrackerAnswer,
  places: readonly string[],
): Promise<TrackerServer> {
  const issues: KeptIssue[] = []
  const requests: TrackerRequest[] = []
  const refusals: TrackerAnswer[] = []
  let ticks = 0
  const nextMs = (): number => FIRST_MS + ++ticks * 1_000
  const tools: TrackerTools = {
    issues,
    add(place, title, text = '', id = String(1_000 + issues.length)) {
      if (!places.includes(place)) throw new Error(`there is no ${place}`)
      const number = issues.filter((each) => each.place === place).length + 1
      const made = {
        number,
        id,
        place,
        title,
        text,
        isOpen: true,
        changedMs: nextMs(),
        comments: [],
        detail: '',
      }
      issues.push(made)
      return made
    },
    touch: (issue) => void (issue.changedMs = nextMs()),
  }
  const server = createServer((req, res) => {
    const parts: Buffer[] = []
    req.on('data', (part: Buffer) => parts.push(part))
    req.on('end', () => {
      const url = new URL(req.url ?? '/', 'http://tracker')
      const text = Buffer.concat(parts).toString()
      const request: TrackerRequest = {
        method: req.method ?? '',
        path: url.pathname,
        query: url.searchParams,
        headers: req.headers,
        body: text === '' ? undefined : JSON.parse(text),
      }
      requests.push(request)
      const isJson = text === '' || req.headers['content-type'] === 'application/json'
      const { status, body, headers } =
        refusals.shift() ??
        (isJson ? answer(request, tools) : { status: 415, body: 'JSON is needed', headers: {} })
      res.writeHead(status, { 'content-type': 'application/json', ...headers })
      res.end(body === undefined ? undefined : typeof body === 'string' ? body : JSON.stringify(body))
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    requests,
    issues,
    refuse: (...answers) => void refusals.push(...answers),
    add: (place, title) => tools.add(place, title),
    close: () => (server.closeAllConnections(), server.close()),
  }
}

export const isoTime = (ms: number): string => new Date(ms).toISOString()

/** What was asked, as a test compares it. */
export const asked = ({ requests }: Pick<TrackerServer, 'requests'>): readonly string[] =>
  requests.map(({ method, path }) => `${method} ${path}`)
