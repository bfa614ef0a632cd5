/** Pages with tracing, a small API for them, and ways to look at what they send. */
import type { IncomingMessage } from 'node:http'
import type { Payload } from '../harness/recorded.ts'
import { type Site, type SiteOptions, startSite } from '../harness/site.ts'

const source = (path: string): string =>
  new URL(`../../../packages/browser/src/${path}`, import.meta.url).pathname

/**
 * A page's script. `options` is the text of more options; `more` runs after `init`. `captured` holds what was captured
 * and when, on the page's clock.
 */
export const traced = (options = '', more = ''): string => `
import * as sonde from '@sonde/browser'
import { startSpan, tracing } from '${source('tracing/index.ts')}'
const captured = []
const watch = (client) => client.on('event', ({ event }) => captured.push({ atMs: performance.now(), event }))
sonde.init({ dsn: SITE.dsn, tunnel: '/monitoring', release: 'shop@1.2.3', environment: 'test', features: [watch, tracing()], ${options} })
Object.assign(window, { sonde, startSpan, captured, client: sonde.getClient(), SITE })
${more}
`

export type ApiSite = Site & {
  /** Requests to `/api/…` and `/hang`, in order. */
  readonly calls: readonly IncomingMessage[]
  call(path: string): Promise<IncomingMessage>
}

/** Answers `/api/…` (`?status=` says how, after `?delay=` ms), never answers `/hang`. Other origins may call it. */
export async function startApiSite(options: SiteOptions): Promise<ApiSite> {
  const calls: IncomingMessage[] = []
  const waiters = new Map<string, (req: IncomingMessage) => void>()
  const site = await startSite({
    ...options,
    handle(req, res) {
      const { pathname, searchParams } = new URL(req.url ?? '/', 'http://site')
      if (options.handle?.(req, res)) return true
      if (pathname !== '/hang' && !pathname.startsWith('/api/')) return false
      res.setHeader('access-control-allow-origin', '*')
      res.setHeader('access-control-allow-headers', '*')
      if (req.method === 'OPTIONS') {
        res.writeHead(204).end()
        return true
      }
      calls.push(req)
      waiters.get(pathname)?.(req)
      if (pathname !== '/hang')
        setTimeout(
          () => res.writeHead(Number(searchParams.get('status') ?? 200)).end('{"answer":42}'),
          Number(searchParams.get('delay') ?? 0),
        )
      return true
    },
  })
  return Object.assign(site, {
    calls,
    call: (path: string) =>
      new Promise<IncomingMessage>((resolve) => {
        const known = calls.find(({ url = '' }) => url.split('?')[0] === path)
        if (known) resolve(known)
        else waiters.set(path, resolve)
      }),
  })
}

export const spansOf = (transaction: Payload, op: string): Payload[] =>
  transaction.spans.filter((span: Payload) => span.op === op)

export const rootOf = (transaction: Payload): Payload => transaction.contexts.trace

export const durationMs = (span: Payload): number =>
  Math.round((span.timestamp - span.start_timestamp) * 1000)

/** Transactions of one op, once there are as many. */
export async function transactionsOf(site: Site, op: string, count = 1): Promise<Payload[]> {
  const found = (): Payload[] =>
    site
      .items('transaction')
      .map(({ payload }) => payload)
      .filter((transaction) => rootOf(transaction).op === op)
  await site.waitFor(`${count} × ${op}`, () => found().length >= count)
  return found()
}

declare global {
  // oxlint-disable-next-line typescript/no-explicit-any -- what the scripts above put there
  var captured: any[], startSpan: any, client: any, SITE: any, done: any
}
