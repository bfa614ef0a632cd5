/**
 * Answers before the body has come. Closing at once would reset the connection, and a client that is still
 * sending would see EPIPE instead of the answer (RFC 9112, 9.6: https://www.rfc-editor.org/rfc/rfc9112#section-9.6).
 * So the answer goes out whole, what still comes is thrown away, and only then the response ends, after which
 * node:http closes the connection or takes the next request from it.
 */
import type { IncomingMessage, ServerResponse } from 'node:http'

export type LingerLimits = {
  /** How long, and how many bytes more, of a refused body are read and thrown away. */
  readonly lingerMs: number
  readonly lingerBytes: number
}

/** The head was written, with the length of `body`. */
export function endAfterRequest(
  req: IncomingMessage,
  res: ServerResponse,
  body: string | Uint8Array,
  { lingerMs, lingerBytes }: LingerLimits,
): void {
  let left = lingerBytes
  const finish = (): void => {
    clearTimeout(timer)
    req.off('data', onData)
    req.off('end', finish)
    req.off('close', finish)
    res.end(() => {
      // Where the body ends nobody knows: no other request can follow it.
      if (!req.complete) req.socket.destroy()
    })
  }
  const onData = (chunk: Buffer): void => {
    left -= chunk.length
    if (left < 0) finish()
  }
  const timer = setTimeout(finish, lingerMs).unref()
  res.write(body)
  req.on('end', finish)
  req.on('close', finish)
  req.on('error', () => undefined)
  req.on('data', onData)
}
