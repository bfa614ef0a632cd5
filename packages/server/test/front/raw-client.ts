/** Writes bytes as they are to a port and reads the answers that come, as a program that keeps to no rule would. */
import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { setImmediate as turn } from 'node:timers/promises'

export type RawAnswer = { readonly status: number; readonly head: string; readonly body: string }

export type RawConversation = {
  readonly answers: readonly RawAnswer[]
  /** What came after the last whole answer. */
  readonly rest: string
}

export type RawOptions = {
  /** Hangs up after so many of the bytes, without a word. */
  readonly cutAfter?: number
  /** Writes the bytes in pieces of this size, other work in between. */
  readonly pieceBytes?: number
  /** Hangs up when so many answers came, as clients do; otherwise the other side must. */
  readonly expected?: number
  /** And listens so long for more, which nobody is due. */
  readonly listenMs?: number
  /** Everything received so far, after each piece. */
  readonly onText?: (text: string) => void
  /** Of each request, in order: an answer to HEAD has no body. */
  readonly methods?: readonly string[]
}

export async function converse(
  port: number,
  bytes: Uint8Array | string,
  options: RawOptions = {},
): Promise<RawConversation> {
  const { cutAfter, pieceBytes = Infinity, expected = Infinity, listenMs = 0, methods = [] } = options
  const all = Buffer.from(bytes as string)
  const socket = connect(port, '127.0.0.1')
  let received = ''
  let conversation: RawConversation = { answers: [], rest: '' }
  const closed = new Promise<void>((resolve) => socket.once('close', () => resolve()))
  socket.on('error', () => undefined)
  socket.on('data', (chunk: Buffer) => {
    received += chunk.toString('latin1')
    conversation = readAnswers(received, methods)
    options.onText?.(received)
    if (conversation.answers.length >= expected) setTimeout(() => socket.destroy(), listenMs)
  })
  await once(socket, 'connect')
  const sent = all.subarray(0, cutAfter ?? all.length)
  for (let at = 0; at < sent.length && socket.writable; at += pieceBytes) {
    await write(socket, sent.subarray(at, at + pieceBytes))
    await turn()
  }
  if (cutAfter !== undefined) socket.destroy()
  await closed
  return conversation
}

async function write(socket: Socket, piece: Uint8Array): Promise<void> {
  if (socket.write(piece)) return
  await Promise.race([once(socket, 'drain'), once(socket, 'close')]).catch(() => undefined)
}

function readAnswers(text: string, methods: readonly string[]): RawConversation {
  const answers: RawAnswer[] = []
  let rest = text
  for (;;) {
    const headEnd = rest.indexOf('\r\n\r\n')
    if (headEnd < 0) return { answers, rest }
    const head = rest.slice(0, headEnd)
    const bodyBytes = Number(/^content-length: (\d+)$/im.exec(head)?.[1] ?? 0)
    const end = headEnd + 4 + (methods[answers.length] === 'HEAD' ? 0 : bodyBytes)
    if (rest.length < end) return { answers, rest }
    answers.push({ status: Number(head.split(' ')[1]), head, body: rest.slice(headEnd + 4, end) })
    rest = rest.slice(end)
  }
}
