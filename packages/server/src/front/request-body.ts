/** The body of a request on its way to the back, counted as it passes. */
import type { IncomingMessage } from 'node:http'
import { type Readable, Transform } from 'node:stream'

/** More than its bound came, without a length that said so beforehand. */
export class BodyTooLarge extends Error {}

/**
 * A stream of its own: undici destroys it when the back has answered before the end, and a destroyed request would take
 * the client's connection, and the answer with it. What the client still sends is then read and thrown away.
 */
export function requestBody(req: IncomingMessage, maxBytes: number): Readable {
  let bytes = 0
  const body = new Transform({
    transform(chunk: Buffer, _encoding, done) {
      bytes += chunk.length
      if (bytes > maxBytes) done(new BodyTooLarge())
      else done(null, chunk)
    },
  })
  const cut = (): void => {
    if (!req.complete) body.destroy(new Error('the client went away before the end of its request'))
  }
  req.on('error', cut)
  req.on('close', cut)
  body.on('error', () => undefined)
  body.on('close', () => {
    req.unpipe(body)
    req.resume()
  })
  return req.pipe(body)
}
