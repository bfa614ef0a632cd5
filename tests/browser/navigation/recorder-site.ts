/** A site whose app has a recorder: gates that hold its page data back, and its records as plain objects. */
import { readFileSync } from 'node:fs'
import type { IncomingMessage, ServerResponse } from 'node:http'
import path from 'node:path'
import type { Payload } from '../harness/recorded.ts'
import { type Site, type SiteOptions, startSite } from '../harness/site.ts'

export type Entry = {
  readonly id: string
  readonly traceId: string
  readonly parentId: string | undefined
  readonly name: string
  readonly status: string
  readonly durationMs: number
  /** Without prefix and types. */
  readonly facts: Payload
  readonly span: Payload
}

export type RecorderSite = Site & {
  /** Holds `/api/gate/NAME` back until `open`. */
  close(gate: string): void
  open(gate: string): void
  /** How the next requests of `/api/…` are answered: a status, or `drop`; 200 when undefined. */
  fail(url: string, statuses: readonly (number | 'drop')[]): void
  /** Every span of this op so far, in the order they came. */
  entries(op: string): Entry[]
  /** Final and provisional navigation records, as `to outcome`. */
  outcomes(): string[]
  /** Waits for the first record that fits. */
  waitForEntry(op: string, fits: (entry: Entry) => boolean): Promise<Entry>
}

export async function startRecorderSite(options: SiteOptions): Promise<RecorderSite> {
  const gates = new Map<string, PromiseWithResolvers<void>>()
  const failures = new Map<string, (number | 'drop')[]>()

  async function answerApi(url: string, res: ServerResponse): Promise<void> {
    const gate = /^\/api\/gate\/(\w+)$/.exec(url)?.[1]
    if (gate) await gates.get(gate)?.promise
    const failure = failures.get(url)?.shift()
    if (failure === 'drop') res.destroy()
    else {
      res.writeHead(failure ?? 200, { 'content-type': 'application/json', 'cache-control': 'no-store' })
      res.end(JSON.stringify({ url, filler: 'x'.repeat(500) }))
    }
  }

  const site = await startSite({
    ...options,
    handle(req: IncomingMessage, res: ServerResponse) {
      const { pathname } = new URL(req.url ?? '/', 'http://site')
      if (options.handle?.(req, res)) return true
      if (!pathname.startsWith('/api/')) return false
      void answerApi(pathname, res)
      return true
    },
  })

  const entries = (op: string): Entry[] =>
    site
      .items('span')
      .flatMap(({ payload }) => (payload.items ?? []) as Payload[])
      .filter((span) => span.attributes['sentry.op']?.value === op)
      .map(toEntry)

  return {
    ...site,
    close: (gate) => void gates.set(gate, Promise.withResolvers<void>()),
    open(gate) {
      gates.get(gate)?.resolve()
      gates.delete(gate)
    },
    fail: (url, statuses) => void failures.set(url, [...statuses]),
    entries,
    outcomes: () =>
      entries('ui.navigation').map(({ facts }) => `${facts.to_route ?? facts.to} ${facts.outcome}`),
    async waitForEntry(op, fits) {
      await site.waitFor(`a span ${op} that fits`, () => entries(op).some(fits))
      return entries(op).find(fits)!
    },
  }
}

const DOCS = readFileSync(
  path.resolve(import.meta.dirname, '../../../docs/internals/reporter-wire.md'),
  'utf8',
)

/** Whoever stores the spans reads of every attribute on that page. */
function toEntry(span: Payload): Entry {
  const facts: Record<string, unknown> = {}
  for (const [name, { value }] of Object.entries<Payload>(span.attributes)) {
    const own = /^sonde\.(?:navigation|prefetch|page_data|chunk|tab)\.(.*)$/.exec(name)?.[1]
    if (!own) continue
    if (!DOCS.includes(`\`${own}\``)) throw new Error(`${name} is not described in reporter-wire.md`)
    facts[own] = value
  }
  return {
    id: span.span_id,
    traceId: span.trace_id,
    parentId: span.parent_span_id,
    name: span.name,
    status: span.status,
    durationMs: Math.round((span.end_timestamp - span.start_timestamp) * 1000),
    facts,
    span,
  }
}
