/** The body of a request on its way to the back. */
import type { IncomingMessage } from 'node:http'
import { PassThrough, type Readable } from 'node:stream'

/**
 * A stream of its own: undici destroys it when the back has answered before the end, and a destroyed request would take
 * the client's connection, and the answer with it. What the client still sends is then read and thrown away.
 */
export function requestBody(req: IncomingMessage): Readable {
  const body = new PassThrough()
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
