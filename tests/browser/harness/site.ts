/** A site whose pages run a script, on a server that records the envelopes they send and answers as a test wants. */
import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { bundlePage } from './bundle-page.ts'
import { shapeProblems } from './envelope-shape.ts'
import { readRecorded, type Recorded, type RecordedItem } from './recorded.ts'

export const PUBLIC_KEY = '0123456789abcdef0123456789abcdef'
const WAIT_MS = 30_000

/** `drop` breaks the connection, as a network failure or a blocker does; `hang` never answers. */
export type Answer = { readonly status: number; readonly headers?: Record<string, string> } | 'drop' | 'hang'

export type SiteOptions = {
  /** TypeScript of the page; `SITE` in it is `{ dsn, crossDsn }`. */
  readonly script: string
  /** HTML of a page by its path; without it, every path that nothing else answers is an empty page with the script. */
  readonly html?: (path: string) => string | undefined
  /** Answers what is no page, script or envelope; returns whether it did. */
  readonly handle?: (req: IncomingMessage, res: ServerResponse) => boolean
  /** Headers of the pages, for example a Content-Security-Policy. */
  readonly pageHeaders?: Record<string, string>
  readonly minify?: boolean
  /** Which envelopes have to have the shape of the reporter's; all unless told. */
  readonly isOurs?: (recorded: Recorded) => boolean
  /** As `BundleOptions.alias`. */
  readonly alias?: Record<string, string>
}

export type Site = AsyncDisposable & {
  /** `http://127.0.0.1:port`, where the pages are. */
  readonly url: string
  /** Ingest on the pages' own origin, and on another one (`http://localhost:port`). */
  readonly dsn: string
  readonly crossDsn: string
  /** Every envelope that was received, in order, also those that were answered with an error. */
  readonly recorded: readonly Recorded[]
  /** Requests for envelopes that were cut or kept hanging before anything was read are counted too. */
  readonly attempts: () => number
  /** How the next envelopes are answered; 200 without it. */
  answer(next: Answer | ((recorded: Recorded) => Answer)): void
  /** Answers 200 to what was kept hanging. */
  release(): void
  /** Every item of a kind so far, as they came: several requests are under way at once and may overtake each other. */
  items(type: string): RecordedItem[]
  /** Waits until there are so many items of a kind. Rejects after half a minute, or when an envelope has a wrong shape. */
  waitForItems(type: string, count?: number): Promise<RecordedItem[]>
  /** Waits for the first envelope that fits. */
  waitFor(what: string, fits: (recorded: Recorded) => boolean): Promise<Recorded>
}

export async function startSite(options: SiteOptions): Promise<Site> {
  const { isOurs = () => true } = options
  const recorded: Recorded[] = []
  const waiters = new Set<() => void>()
  let answer: (recorded: Recorded) => Answer = () => ({ status: 200 })
  const hanging: ServerResponse[] = []
  let attempts = 0

  async function takeEnvelope(req: IncomingMessage, res: ServerResponse): Promise<void> {
    attempts++
    const chunks: Buffer[] = []
    for await (const chunk of req) chunks.push(chunk as Buffer)
    const entry = readRecorded(req, Buffer.concat(chunks))
    const reply = answer(entry)
    if (reply === 'drop') {
      req.socket.destroy()
      return
    }
    recorded.push(entry)
    for (const check of waiters) check()
    if (reply === 'hang') {
      hanging.push(res)
      return
    }
    res.writeHead(reply.status, {
      'access-control-allow-origin': '*',
      'access-control-expose-headers': 'x-sentry-error, x-sentry-rate-limits, retry-after',
      'content-type': 'application/json',
      ...reply.headers,
    })
    res.end(JSON.stringify({ id: entry.header['event_id'] }))
  }

  const server = createServer((req, res) => {
    const path = new URL(req.url ?? '/', 'http://site').pathname
    if (req.method === 'POST' && (path === '/monitoring' || /^\/api\/\d+\/envelope\/$/.test(path))) {
      takeEnvelope(req, res).catch((error: unknown) => {
        failure ??= error instanceof Error ? error : new Error(String(error))
        for (const check of waiters) check()
        res.writeHead(400).end()
      })
    } else if (path === '/page.js') {
      res.writeHead(200, { 'content-type': 'text/javascript; charset=utf-8' }).end(script)
    } else if (!options.handle?.(req, res)) {
      const html = options.html ? options.html(path) : EMPTY_PAGE
      res.writeHead(html === undefined ? 404 : 200, {
        'content-type': 'text/html; charset=utf-8',
        ...options.pageHeaders,
      })
      res.end(html ?? 'not here')
    }
  })
  let failure: Error | undefined
  server.listen(0)
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  const dsn = `http://${PUBLIC_KEY}@127.0.0.1:${port}/42`
  const crossDsn = `http://${PUBLIC_KEY}@localhost:${port}/42`
  const prelude = `const SITE = ${JSON.stringify({ dsn, crossDsn })};\n`
  const script =
    prelude +
    (await bundlePage(`declare const SITE: any\n${options.script}`, {
      minify: options.minify ?? false,
      alias: options.alias ?? {},
    }))

  function until<T>(what: string, find: () => T | undefined): Promise<T> {
    return new Promise((resolve, reject) => {
      const check = (): void => {
        const problems = recorded.filter(isOurs).flatMap(shapeProblems)
        const found = find()
        if (failure !== undefined || problems.length > 0) {
          finish()
          reject(
            new Error(`the page sent something wrong: ${failure?.message ?? problems.join('; ')}`, {
              cause: failure,
            }),
          )
        } else if (found !== undefined) {
          finish()
          resolve(found)
        }
      }
      const timer = setTimeout(() => {
        finish()
        const seen = recorded.map(({ path, items }) => `${path} ${items.map((i) => i.header.type).join('+')}`)
        reject(new Error(`never came: ${what}; received: ${seen.join(', ') || 'nothing'}`))
      }, WAIT_MS)
      const finish = (): void => {
        clearTimeout(timer)
        waiters.delete(check)
      }
      waiters.add(check)
      check()
    })
  }

  const items = (type: string): RecordedItem[] =>
    recorded.flatMap((entry) => entry.items).filter(({ header }) => header.type === type)

  return {
    url: `http://127.0.0.1:${port}`,
    dsn,
    crossDsn,
    recorded,
    attempts: () => attempts,
    answer(next) {
      answer = typeof next === 'function' ? next : () => next
    },
    release() {
      for (const res of hanging.splice(0)) res.writeHead(200).end('{}')
    },
    items,
    waitForItems: (type, count = 1) =>
      until(`${count} × ${type}`, () => (items(type).length >= count ? items(type) : undefined)),
    waitFor: (what, fits) => until(what, () => recorded.find(fits)),
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}

const EMPTY_PAGE = `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>page</title>
<link rel="icon" href="data:,"></head><body><script src="/page.js"></script></body></html>`
