/**
 * A site's own `/monitoring`: takes envelopes of its pages and hands them, untouched, to a Sonde (or any server that
 * speaks Sentry's protocol) that the operator has listed. Same origin, so blockers and CSP leave it alone.
 * Runs wherever `Request` and `fetch` are: Node, Deno, Bun, workers.
 */
import type { Dsn } from '@sonde/protocol/dsn'
import { type Destination, readDestinations } from './allowed.ts'
import { createCopies } from './copies.ts'
import { forward } from './forward.ts'
import { readEnvelope } from './read-envelope.ts'
import { Refusal, refusalAnswer } from './refusal.ts'

export type TunnelOptions = {
  /** The only servers that are ever connected to: their URLs, or DSNs to let single projects through. */
  readonly to: readonly Destination[]
  /**
   * A second server that gets a copy of each envelope that is let through, while one takes over from the other: it knows the same
   * keys. Nobody waits for it: what it does not take is lost there alone, and the page is answered by the first.
   */
  readonly also?: string
  /** Other paths are answered with 404. Default: every path, for handlers that are mounted at one. */
  readonly path?: string
  /** Of one envelope. Default 4 MiB: an event has at most 1 MiB, and may bring a screenshot along. */
  readonly maxBytes?: number
  /** Of all envelopes that are on their way. Default 64 MiB: sixteen of the largest, thousands of the usual 6 kB. */
  readonly maxBufferedBytes?: number
  /** For reading and forwarding together. Default 10 s: SDKs give up after 5 to 30 s. */
  readonly timeoutMs?: number
  /**
   * Default `false`: the server sees the tunnel's address. `true` passes on the address of the connection, as far as the
   * runtime tells it (second argument of the handler). A function names another, such as a header of your own proxy.
   */
  readonly forwardClientAddress?: boolean | ((request: Request) => string | null | undefined)
}

/** Never rejects: every refusal and failure is an answer. */
export type Tunnel = (
  request: Request,
  connection?: {
    readonly clientAddress?: string | undefined
    /** Of a worker, which ends with its answer otherwise: `context.waitUntil`. For the copies of `also`. */
    readonly waitUntil?: ((work: Promise<unknown>) => void) | undefined
  },
) => Promise<Response>

const MIB = 1024 * 1024
/** What pages send envelopes as; forms and multipart bodies are none of ours. */
const TYPES = ['text/plain', 'application/x-sentry-envelope', 'application/octet-stream', 'application/json']
const ADDRESS = /^[0-9a-f.:]{2,45}$/i

/** Throws a `TypeError` when `to` holds something that is no server. */
export function createTunnel(options: TunnelOptions): Tunnel {
  const { path, maxBytes = 4 * MIB, maxBufferedBytes = 64 * MIB, timeoutMs = 10_000 } = options
  const find = readDestinations(options.to)
  const copy =
    options.also === undefined ? undefined : createCopies(options.also, { maxBufferedBytes, timeoutMs })
  let bufferedBytes = 0

  const allowed = (dsn: Dsn): { readonly base: string; readonly dsn: Dsn } => {
    const base = find(dsn)
    if (base === undefined)
      throw new Refusal(403, 'this tunnel does not lead to the server or project of the DSN')
    return { base, dsn }
  }

  const take = async (
    request: Request,
    clientAddress: string | undefined,
    waitUntil?: (work: Promise<unknown>) => void,
  ): Promise<Response> => {
    checkHead(request, path, maxBytes)
    const timeout = AbortSignal.timeout(timeoutMs)
    const signal = AbortSignal.any([request.signal, timeout])
    let ownBytes = 0
    const onBytes = (count: number): void => {
      if (bufferedBytes + count > maxBufferedBytes)
        throw new Refusal(503, 'too many envelopes are on their way', { 'retry-after': '5' })
      ownBytes += count
      bufferedBytes += count
    }
    try {
      const { bytes, decided } = await readEnvelope(request.body, allowed, { maxBytes, signal, onBytes })
      const sender = {
        userAgent: request.headers.get('user-agent'),
        origin: request.headers.get('origin'),
        clientAddress,
      }
      const copied = copy?.({ ...decided, ...sender, bytes })
      if (copied) waitUntil?.(copied)
      return await forward({ ...decided, ...sender, bytes }, signal)
    } catch (error) {
      if (timeout.aborted) throw new Refusal(504, `it took longer than ${timeoutMs} ms`)
      throw error
    } finally {
      bufferedBytes -= ownBytes
    }
  }

  const addressFor = (request: Request, connected: string | undefined): string | undefined => {
    const { forwardClientAddress: wanted = false } = options
    const address = typeof wanted === 'function' ? wanted(request) : wanted ? connected : undefined
    return address && ADDRESS.test(address) ? address : undefined
  }

  return async (request, connection) => {
    try {
      const address = addressFor(request, connection?.clientAddress)
      return await take(request, address, connection?.waitUntil)
    } catch (error) {
      if (error instanceof Refusal) return refusalAnswer(error)
      // The page is gone, and with it whoever would read this.
      if (request.signal.aborted) return refusalAnswer(new Refusal(499, 'the client hung up'))
      return refusalAnswer(new Refusal(500, 'the tunnel failed'))
    }
  }
}

function checkHead(request: Request, path: string | undefined, maxBytes: number): void {
  const { headers, method, url } = request
  if (path !== undefined && new URL(url).pathname !== path) throw new Refusal(404, 'not found')
  if (method !== 'POST') throw new Refusal(405, 'use POST', { allow: 'POST' })
  const type = (headers.get('content-type') ?? '').split(';', 1)[0]?.trim().toLowerCase() ?? ''
  if (type !== '' && !TYPES.includes(type)) throw new Refusal(415, `envelopes do not come as ${type}`)
  // The first line must be readable, and unpacking here would be a bomb's way in. Pages never pack.
  if (!['', 'identity'].includes(headers.get('content-encoding') ?? ''))
    throw new Refusal(415, 'send the envelope uncompressed')
  if (Number(headers.get('content-length') ?? 0) > maxBytes)
    throw new Refusal(413, `the body has more than the ${maxBytes} bytes allowed`)
}
