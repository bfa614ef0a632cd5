/**
 * Between Node's HTTP server and the page handler's Request and Response, answers compressed on the way out. Why not
 * Hono's adapter and middleware: docs/decisions/0026-the-routers-own-http.md.
 */
import type { IncomingMessage, ServerResponse } from 'node:http'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { type BrotliCompress, constants, createBrotliCompress, createGzip, type Gzip } from 'node:zlib'

/**
 * @param publicOrigin used instead of the Host header when given
 * @returns undefined for a request target or Host that is no path and host
 */
export function toRequest(
  incoming: IncomingMessage,
  outgoing: ServerResponse,
  publicOrigin?: string,
): Request | undefined {
  const target = incoming.url ?? ''
  if (!target.startsWith('/')) return undefined
  // Not `canParse`: it takes hosts that `new URL` throws for (Node 24, over 16,384 capital letters).
  const base = URL.parse(publicOrigin ?? `http://${incoming.headers.host ?? ''}`)
  // Joined as text: `new URL('//elsewhere/x', origin)` would change the host.
  const url = base && URL.parse(base.origin + target)
  if (!url) return undefined
  const gone = new AbortController()
  outgoing.once('close', () => {
    if (!outgoing.writableFinished) gone.abort()
  })
  const method = incoming.method ?? 'GET'
  const hasBody = method !== 'GET' && method !== 'HEAD'
  return new Request(url, {
    method,
    headers: headersOf(incoming),
    signal: gone.signal,
    ...(hasBody ? { body: Readable.toWeb(incoming) as ReadableStream, duplex: 'half' } : {}),
  })
}

function headersOf({ headersDistinct }: IncomingMessage): Headers {
  const headers = new Headers()
  for (const [name, values] of Object.entries(headersDistinct)) {
    for (const value of values ?? []) headers.append(name, value)
  }
  return headers
}

/**
 * Compressed when the client takes it. Resolves when all was sent or the client went away.
 *
 * No page holds a secret beside text that somebody else chose (posts are judged by their origin, not by a token), so the
 * length of a compressed page reveals nothing worth guessing (https://www.breachattack.com/).
 */
export async function sendResponse(response: Response, outgoing: ServerResponse): Promise<void> {
  outgoing.statusCode = response.status
  const cookies = response.headers.getSetCookie()
  for (const [name, value] of response.headers) {
    if (name !== 'set-cookie') outgoing.setHeader(name, value)
  }
  if (cookies.length > 0) outgoing.setHeader('set-cookie', cookies)
  if (isCompressible(response)) outgoing.appendHeader('vary', 'accept-encoding')
  const coding = codingFor(response, outgoing.req.headers['accept-encoding'])
  if (coding) {
    outgoing.setHeader('content-encoding', coding)
    outgoing.removeHeader('content-length')
  }
  if (!response.body) {
    outgoing.end()
    return
  }
  outgoing.flushHeaders()
  try {
    if (coding) {
      const compressor = createCompressor(coding)
      await pipeline(flushingWhenIdle(response.body, compressor), compressor, outgoing)
    } else await pipeline(Readable.fromWeb(response.body as Parameters<typeof Readable.fromWeb>[0]), outgoing)
  } catch (error) {
    // The reader left, or rendering broke off: the status is sent, so the connection says it.
    outgoing.destroy(error instanceof Error ? error : undefined)
  }
}

/** Which of our codings a request takes (RFC 9110 12.5.3). */
export const CODINGS = ['br', 'gzip'] as const
export type Coding = (typeof CODINGS)[number]

/** The first of ours, in our order, that the header names without refusing it (`q=0`); undefined: none. */
export function acceptedCoding(
  header: string | undefined,
  offered: readonly Coding[] = CODINGS,
): Coding | undefined {
  const named = new Map(
    (header ?? '').split(',').map((part) => {
      const [name = '', ...parameters] = part.split(';').map((text) => text.trim().toLowerCase())
      return [name, !parameters.some((parameter) => /^q=0(?:\.0*)?$/.test(parameter))] as const
    }),
  )
  return offered.find((coding) => named.get(coding) ?? named.get('*') ?? false)
}

/** A shorter body costs one packet either way. */
const MIN_BYTES = 1_024
const TEXTS = /^(?:text\/(?!event-stream)|application\/(?:json|javascript|xml)|[\w./-]+\+(?:json|xml))/i

/** Whether answers of this kind differ by `Accept-Encoding`: then `Vary` must say so, compressed or not. */
function isCompressible({ headers, status }: Pick<Response, 'headers' | 'status'>): boolean {
  if (status < 200 || status === 204 || status === 304 || headers.has('content-encoding')) return false
  if (/\bno-transform\b/i.test(headers.get('cache-control') ?? '')) return false
  const bytes = headers.get('content-length')
  return TEXTS.test(headers.get('content-type') ?? '') && (bytes === null || Number(bytes) >= MIN_BYTES)
}

/** Undefined: as it is. A body that says no length is a stream, and long enough. */
const codingFor = (response: Response, acceptEncoding: string | undefined): Coding | undefined =>
  isCompressible(response) ? acceptedCoding(acceptEncoding) : undefined

type Compressor = BrotliCompress | Gzip

/**
 * A page of 165 kB takes about 1.4 ms of a core with brotli 4 and becomes 12 kB; brotli 5 takes 2 ms for 11 kB, gzip 4
 * 1 ms for 15 kB. The window holds a whole page: the default would hold 4 MB for each answer that is on its way.
 */
const createCompressor = (coding: Coding): Compressor =>
  coding === 'br'
    ? createBrotliCompress({
        params: {
          [constants.BROTLI_PARAM_QUALITY]: 4,
          [constants.BROTLI_PARAM_MODE]: constants.BROTLI_MODE_TEXT,
          [constants.BROTLI_PARAM_LGWIN]: 18,
        },
      })
    : createGzip({ level: 4 })

/**
 * The body's chunks. What the compressor holds goes out after the first one, which names the styles and scripts to
 * fetch, and whenever none is ready in this turn of the event loop.
 */
async function* flushingWhenIdle(
  body: ReadableStream<Uint8Array>,
  compressor: Compressor,
): AsyncGenerator<Uint8Array> {
  const reader = body.getReader()
  // A generator that waits cannot be ended from outside: when nobody reads any more, this ends its waiting.
  compressor.once('close', () => void reader.cancel().catch(() => undefined))
  for (let isFirst = true; ; isFirst = false) {
    const idle = setImmediate(() => compressor.flush())
    const { done, value } = await reader.read().finally(() => clearImmediate(idle))
    if (done) return
    yield value
    if (isFirst) compressor.flush()
  }
}
