/** The back's way to the log: the front, which is its only writer, appends for it. */
import { UnavailableError } from '@sonde/base'
import type { LogWriter } from '@sonde/log'
import type { BackMessage, FrontMessage } from './messages.ts'

export function appendThroughFront(channel: NodeJS.Process): LogWriter['append'] {
  let lastId = 0
  const waiting = new Map<number, (error: string | undefined) => void>()
  channel.on('message', (message: FrontMessage) => {
    if (message.kind !== 'appended') return
    waiting.get(message.id)?.(message.error)
    waiting.delete(message.id)
  })
  return (bytes) =>
    new Promise((resolve, reject) => {
      const id = ++lastId
      waiting.set(id, (error) => {
        if (error === undefined) return resolve()
        reject(new UnavailableError(error, { operation: 'append to the log', retryAfterSec: 10 }))
      })
      channel.send?.({ kind: 'append', id, bytes } satisfies BackMessage)
    })
}

/** The front's side of it. */
export async function appendForBack(
  append: LogWriter['append'],
  message: Extract<BackMessage, { kind: 'append' }>,
): Promise<FrontMessage> {
  try {
    await append(message.bytes)
    return { kind: 'appended', id: message.id, error: undefined }
  } catch (error) {
    return { kind: 'appended', id: message.id, error: error instanceof Error ? error.message : String(error) }
  }
}
