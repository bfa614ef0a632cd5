/**
 * The load balancer in front of a Sonde on several machines, with the rules of `deploy/compose.cluster.yaml`: which path goes to
 * which role, and what is tried again on another member. Besides it asks `/readyz`, as load balancers of a cluster do. Bodies
 * are held in memory until they are answered: tests send small ones.
 */
import { once } from 'node:events'
import { Agent, createServer, type IncomingMessage, request, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { buffer } from 'node:stream/consumers'
import { pipeline } from 'node:stream/promises'
import { setTimeout as sleep } from 'node:timers/promises'
import { endToEndHeaders } from '../../../packages/server/src/front/body-bounds.ts'

export type Upstream = 'ingest' | 'web'

/** Addresses of the members. */
export type Upstreams = { readonly [upstream in Upstream]: readonly string[] }

export type Balancer = {
  readonly url: string
  readonly port: number
  /** Requests that no member answered: the balancer did, with 502. */
  readonly unanswered: () => number
  stop(): Promise<void>
}

type Member = {
  readonly url: string
  readonly agent: Agent
  isReady: boolean
}

const PROBE_EVERY_MS = 200
const PROBE_WITHIN_MS = 2_000
/** nginx: `proxy_read_timeout`. */
const ANSWER_WITHIN_MS = 75_000
/** nginx: `keepalive_timeout`. */
const KEEP_ALIVE_MS = 75_000
const IDEMPOTENT: ReadonlySet<string> = new Set(['GET', 'HEAD', 'OPTIONS', 'PUT', 'DELETE'])

export function upstreamOf(path: string): Upstream {
  if (path.startsWith('/api/0/') || path.startsWith('/api/auth/')) return 'web'
  return path.startsWith('/api/') || path === '/monitoring' ? 'ingest' : 'web'
}

/** Members need not run yet. */
export async function startBalancer(upstreams: Upstreams): Promise<Balancer> {
  const memberOf = (url: string): Member => ({
    url,
    agent: new Agent({ keepAlive: true }),
    isReady: true,
  })
  const members = { ingest: upstreams.ingest.map(memberOf), web: upstreams.web.map(memberOf) }
  const all = [...members.ingest, ...members.web]
  const stopping = new AbortController()
  let unanswered = 0
  let turn = 0

  const handle = async (req: IncomingMessage, res: ServerResponse): Promise<void> => {
    const path = (req.url ?? '/').split('?', 1)[0] ?? '/'
    if (path === '/metrics') return void res.writeHead(404).end()
    const upstream = upstreamOf(path)
    // What SDKs send has ids: sent twice it is stored once.
    const isRepeatable = upstream === 'ingest' || IDEMPOTENT.has(req.method ?? '')
    const body = await buffer(req)
    const gone = new AbortController()
    res.once('close', () => gone.abort())
    const tried = inTurn(members[upstream], turn++)
    for (const [at, member] of tried.entries()) {
      const isLast = at === tried.length - 1
      try {
        const answer = await ask(member, req, body, gone.signal)
        if (answer.statusCode === 503 && isRepeatable && !isLast) {
          answer.resume()
          continue
        }
        res.writeHead(answer.statusCode ?? 502, endToEndHeaders(answer.headers))
        return await pipeline(answer, res)
      } catch (error) {
        if (res.headersSent || gone.signal.aborted) return void res.destroy()
        if (!isRepeatable && !isUnsent(error)) break
      }
    }
    unanswered++
    res.writeHead(502, { 'content-type': 'text/plain' }).end('no member answered\n')
  }

  const server = createServer((req, res) => {
    handle(req, res).catch(() => res.destroy())
  })
  // Longer than clients keep one: what they send meets no connection that is being closed.
  server.keepAliveTimeout = KEEP_ALIVE_MS
  await once(server.listen(0, '127.0.0.1'), 'listening')
  const { port } = server.address() as AddressInfo
  for (const member of all) void probe(member, stopping.signal)
  return {
    url: `http://127.0.0.1:${port}`,
    port,
    unanswered: () => unanswered,
    async stop() {
      stopping.abort()
      server.close()
      server.closeAllConnections()
      for (const { agent } of all) agent.destroy()
    },
  }
}

/** Those that are well first; the others when none of them answers. */
function inTurn(members: readonly Member[], turn: number): readonly Member[] {
  const from = turn % Math.max(1, members.length)
  const rotated = [...members.slice(from), ...members.slice(0, from)]
  return [...rotated.filter(({ isReady }) => isReady), ...rotated.filter(({ isReady }) => !isReady)]
}

function ask(
  { url, agent }: Member,
  req: IncomingMessage,
  body: Buffer,
  signal: AbortSignal,
): Promise<IncomingMessage> {
  const before = req.headers['x-forwarded-for']
  const address = req.socket.remoteAddress ?? ''
  const headers = {
    ...endToEndHeaders(req.headers),
    'x-forwarded-for': before === undefined ? address : `${String(before)}, ${address}`,
    'x-forwarded-proto': 'http',
    ...(body.length > 0 && { 'content-length': body.length }),
  }
  return new Promise((resolve, reject) => {
    const { method, url: path } = req
    const asking = request(url, { method, path, headers, agent, signal, timeout: ANSWER_WITHIN_MS }, resolve)
    asking.on('timeout', () => asking.destroy(new Error('the member did not answer in time')))
    asking.on('error', reject)
    asking.end(body)
  })
}

/** The member never saw the request. */
const isUnsent = (error: unknown): boolean => (error as NodeJS.ErrnoException).code === 'ECONNREFUSED'

async function probe(member: Member, signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    const answer = await fetch(`${member.url}/readyz`, {
      signal: AbortSignal.any([signal, AbortSignal.timeout(PROBE_WITHIN_MS)]),
    }).catch(() => undefined)
    await answer?.text().catch(() => undefined)
    member.isReady = answer?.status === 200
    await sleep(PROBE_EVERY_MS, undefined, { signal }).catch(() => undefined)
  }
}
