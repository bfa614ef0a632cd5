/**
 * Asks a stream for the messages from a position on, without a consumer: any server that has a copy answers, and nothing is
 * left behind on it. https://github.com/nats-io/nats-architecture-and-design/blob/main/adr/ADR-31.md
 */
import { createInbox, type Msg } from '@nats-io/transport-node'
import type { NatsLog } from './connect.ts'

export type StoredMessage = {
  readonly position: number
  readonly bytes: Uint8Array
  header(name: string): string | undefined
}

export type BatchFetcher = {
  /** In their order, those that came until something was wrong. None: the server that answered has none. */
  fetch(stream: string, from: number, limit: BatchLimit): Promise<StoredMessage[]>
  close(): void
}
type BatchLimit = { readonly records: number; readonly bytes: number }

// A server that was asked may be gone: another is asked then.
const SILENT_MS = 2_000
const MOST_RECORDS = 1_000

/** One question at a time. */
export function createBatchFetcher({ connection }: NatsLog): BatchFetcher {
  const inbox = createInbox()
  let question = 0
  let answer: ((message: Msg | undefined) => void) | undefined
  const subscription = connection.subscribe(`${inbox}.*`, {
    callback(error, message) {
      // What belongs to an earlier question came too late.
      if (error === null && message.subject === `${inbox}.${question}`) answer?.(message)
    },
  })
  return {
    fetch(stream, from, { records, bytes }) {
      const found: StoredMessage[] = []
      const reply = `${inbox}.${++question}`
      return new Promise((resolve) => {
        const done = (): void => {
          clearTimeout(timer)
          answer = undefined
          resolve(found)
        }
        const timer = setTimeout(done, SILENT_MS)
        answer = (message) => {
          // 204: the end of the batch; 404: nothing there; 408, 413: not understood.
          if (!message || (message.headers?.code ?? 0) !== 0 || isNoStream(message)) return done()
          timer.refresh()
          found.push(storedMessage(message))
        }
        const query = { seq: from, batch: Math.min(records, MOST_RECORDS), max_bytes: bytes }
        if (connection.isClosed()) return done()
        connection.publish(`$JS.API.DIRECT.GET.${stream}`, JSON.stringify(query), { reply })
      })
    },
    close() {
      answer?.(undefined)
      subscription.unsubscribe()
    },
  }
}

const isNoStream = (message: Msg): boolean => message.headers === undefined

const storedMessage = (message: Msg): StoredMessage => ({
  position: Number(message.headers?.last('Nats-Sequence')),
  bytes: message.data,
  header: (name) => message.headers?.last(name) || undefined,
})
