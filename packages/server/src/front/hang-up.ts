/**
 * Ends a connection after an answer that says `Connection: close`. Closing at once would reset it while the client still
 * sends, and then the client may never read the answer: https://www.rfc-editor.org/rfc/rfc9112#section-9.6
 */
import type { IncomingMessage, ServerResponse } from 'node:http'
import { DEFAULT_LIMITS } from '@sonde/ingest'

const { lingerMs, lingerBytes } = DEFAULT_LIMITS

/** All of the answer is written, and `res` not ended. What comes is thrown away until the client hangs up, but not for ever. */
export function hangUp(req: IncomingMessage, res: ServerResponse): void {
  const { socket } = req
  const mayReadUntil = socket.bytesRead + lingerBytes
  const finish = (): void => {
    clearTimeout(timer)
    res.end(() => socket.destroy())
  }
  const timer = setTimeout(finish, lingerMs).unref()
  req.on('error', () => undefined)
  req.on('data', () => {
    if (socket.bytesRead > mayReadUntil) finish()
  })
  res.on('close', () => clearTimeout(timer))
}
