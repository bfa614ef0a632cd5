/** Between Node's HTTP server and the page handler's Request and Response. */
import type { IncomingMessage, ServerResponse } from 'node:http'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { codingFor, createCompressor, flushingWhenIdle, isCompressible } from './compress.ts'

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

/** Compressed when the client takes it. Resolves when all was sent or the client went away. */
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
