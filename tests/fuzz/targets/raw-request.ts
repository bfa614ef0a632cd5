/** Writes bytes to a socket as they are and says what came back first. */
import { connect } from 'node:net'

/** Status 0: the connection was closed without an answer. */
export type RawAnswer = { readonly status: number; readonly text: string; readonly tookMs: number }

const MAX_ANSWER_BYTES = 4 * 1024 * 1024
// Whoever waits for more than was sent is told by then that none comes; before, a client that left would be seen.
const ENDS_AFTER_MS = 400

/** Undefined: nothing came within `patienceMs`. */
export function rawRequest(
  port: number,
  bytes: Uint8Array,
  patienceMs: number,
): Promise<RawAnswer | undefined> {
  const isHead = Buffer.from(bytes.subarray(0, 5)).toString('latin1') === 'HEAD '
  return new Promise((resolve) => {
    const startedMs = performance.now()
    const socket = connect({ port, host: '127.0.0.1' })
    let text = ''
    let endedMs: number | undefined
    const finish = (isOver: boolean): void => {
      clearTimeout(patience)
      clearTimeout(waiting)
      socket.destroy()
      if (!isOver && text === '') return resolve(undefined)
      const status = Number(/^HTTP\/1\.1 (\d{3}) /.exec(text)?.[1] ?? 0)
      // What the sender itself waited for is not the server's time.
      resolve({ status, text, tookMs: performance.now() - (endedMs ?? startedMs) })
    }
    const patience = setTimeout(() => finish(false), patienceMs)
    const waiting = setTimeout(() => {
      if (text !== '') return
      endedMs = performance.now()
      socket.end()
    }, ENDS_AFTER_MS)
    socket.on('data', (chunk: Buffer) => {
      if (text.length <= MAX_ANSWER_BYTES) text += chunk.toString('latin1')
      // Others before the real one.
      while (/^HTTP\/1\.1 1\d\d [^]*?\r\n\r\n/.test(text)) text = text.slice(text.indexOf('\r\n\r\n') + 4)
      if (isWhole(text, isHead)) finish(true)
    })
    // A refused body may be cut off while it is sent.
    socket.on('error', () => undefined)
    socket.on('close', () => finish(true))
    socket.write(bytes)
  })
}

function isWhole(text: string, isHead: boolean): boolean {
  const end = text.indexOf('\r\n\r\n')
  if (end === -1) return false
  const head = text.slice(0, end)
  const length = /\r\ncontent-length: *(\d+)/i.exec(head)?.[1]
  if (isHead || /^HTTP\/1\.1 (?:204|304) /.test(head)) return true
  if (length !== undefined) return text.length >= end + 4 + Number(length)
  return /\r\ntransfer-encoding: *chunked/i.test(head) && text.endsWith('0\r\n\r\n')
}
