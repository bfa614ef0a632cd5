/**
 * One keep-alive connection that carries one request at a time, on a bare socket: node:http's client costs several
 * times what the request does, and the sender shares its machine with what it measures.
 */
import { connect, type Socket } from 'node:net'

export type Outcome = number | 'failed' | 'timeout'

export type Connection = {
  /** Bytes of the next request are put here; free again once `onDone` was called. */
  readonly buffer: Buffer
  /** `onDone` gets the status, or how it failed, and whether the answer named a time. Never throws. */
  send(length: number, onDone: (outcome: Outcome, namesTime: boolean) => void): void
  close(): void
}

export type ConnectionOptions = {
  readonly host: string
  readonly port: number
  readonly maxRequestBytes: number
  readonly timeoutMs: number
}

// A server that is away refuses at once; trying again at once would burn the core it needs to come back.
const RECONNECT_AFTER_MS = 20
const HEAD_END = Buffer.from('\r\n\r\n')
const STATUS_AT = 9

export function openConnection({ host, port, maxRequestBytes, timeoutMs }: ConnectionOptions): Connection {
  const buffer = Buffer.allocUnsafeSlow(maxRequestBytes)
  let socket: Socket | undefined
  let waiting: ((outcome: Outcome, namesTime: boolean) => void) | undefined
  let received: Buffer | undefined
  let closed = false

  const finish = (outcome: Outcome, namesTime = false): void => {
    const done = waiting
    waiting = undefined
    received = undefined
    done?.(outcome, namesTime)
  }
  const drop = (outcome: Outcome): void => {
    const old = socket
    socket = undefined
    old?.removeAllListeners()
    old?.on('error', () => undefined)
    old?.destroy()
    if (!waiting) return
    if (outcome === 'failed' && !closed) setTimeout(finish, RECONNECT_AFTER_MS, outcome)
    else finish(outcome)
  }
  const onData = (chunk: Buffer): void => {
    received = received ? Buffer.concat([received, chunk]) : chunk
    const answer = readAnswer(received)
    if (!answer) return
    if (answer.closes) {
      socket?.removeAllListeners()
      socket?.destroy()
      socket = undefined
    }
    finish(answer.status, answer.namesTime)
  }
  const open = (): Socket => {
    const opened = connect({ host, port, noDelay: true })
    opened.on('data', onData)
    opened.on('error', () => drop('failed'))
    opened.on('close', () => drop('failed'))
    opened.setTimeout(timeoutMs, () => drop(waiting ? 'timeout' : 'failed'))
    return opened
  }

  return {
    buffer,
    send(length, onDone) {
      waiting = onDone
      socket ??= open()
      socket.write(buffer.subarray(0, length))
    },
    close() {
      closed = true
      drop('failed')
    },
  }
}

/** Undefined until the answer is complete. Answers without `Content-Length` have no body here. */
function readAnswer(bytes: Buffer): { status: number; closes: boolean; namesTime: boolean } | undefined {
  const headEnd = bytes.indexOf(HEAD_END)
  if (headEnd === -1) return undefined
  const head = bytes.toString('latin1', 0, headEnd)
  const bodyBytes = Number(/\r\ncontent-length: *(\d+)/i.exec(head)?.[1] ?? 0)
  if (bytes.length < headEnd + HEAD_END.length + bodyBytes) return undefined
  return {
    status: Number(head.slice(STATUS_AT, STATUS_AT + 3)),
    closes: /\r\nconnection: *close/i.test(head),
    namesTime: /\r\nretry-after: *[1-9]/i.test(head),
  }
}
