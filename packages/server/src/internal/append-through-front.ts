/** The back's way to the log: the front, which is its only writer, appends for it. */
import { UnavailableError } from '@sonde/base'
import type { LogWriter } from '@sonde/log'

export function appendThroughFront(channel: NodeJS.Process): LogWriter['append'] {
  let lastId = 0
  const waiting = new Map<number, (error: string | undefined) => void>()
  channel.on('message', (message: FrontMessage) => {
    if (message.kind !== 'appended') return
    waiting.get(message.id)?.(message.error)
    waiting.delete(message.id)
  })
  return (bytes, _more, projectId) =>
    new Promise((resolve, reject) => {
      const id = ++lastId
      waiting.set(id, (error) => {
        if (error === undefined) return resolve()
        reject(new UnavailableError(error, { operation: 'append to the log', retryAfterSec: 10 }))
      })
      channel.send?.({ kind: 'append', id, bytes, projectId } satisfies BackMessage)
    })
}

/** What is consumed of the log goes from the disk: see `LogWriter.roll`. */
export function rollThroughFront(channel: NodeJS.Process): () => Promise<number> {
  let lastId = 0
  const waiting = new Map<number, PromiseWithResolvers<number>>()
  channel.on('message', (message: FrontMessage) => {
    if (message.kind !== 'rolled') return
    const one = waiting.get(message.id)
    waiting.delete(message.id)
    if (message.from === undefined)
      one?.reject(
        new UnavailableError(message.error ?? 'the log was not rolled', {
          operation: 'roll the log',
          retryAfterSec: 10,
        }),
      )
    else one?.resolve(message.from)
  })
  return () => {
    const one = Promise.withResolvers<number>()
    const id = ++lastId
    waiting.set(id, one)
    channel.send?.({ kind: 'roll', id } satisfies BackMessage)
    return one.promise
  }
}

export async function rollForBack(
  roll: () => Promise<number>,
  { id }: Extract<BackMessage, { kind: 'roll' }>,
): Promise<FrontMessage> {
  try {
    return { kind: 'rolled', id, from: await roll(), error: undefined }
  } catch (error) {
    return {
      kind: 'rolled',
      id,
      from: undefined,
      error: error instanceof Error ? error.message : String(error),
    }
  }
}

/** The front's side of it. */
export async function appendForBack(
  append: LogWriter['append'],
  message: Extract<BackMessage, { kind: 'append' }>,
): Promise<FrontMessage> {
  try {
    await append(message.bytes, undefined, message.projectId)
    return { kind: 'appended', id: message.id, error: undefined }
  } catch (error) {
    return { kind: 'appended', id: message.id, error: error instanceof Error ? error.message : String(error) }
  }
}

/** What front and back tell each other over the IPC channel of the child process. */

export type BackMessage =
  | { readonly kind: 'ready'; readonly notices: readonly string[] }
  /** The start failed; the message is for people. `mayPass`: what stands in the way may be gone in a moment. */
  | { readonly kind: 'failed'; readonly message: string; readonly mayPass: boolean }
  /** Only the front writes the log: it is asked to append a dead letter's record again. */
  | {
      readonly kind: 'append'
      readonly id: number
      readonly bytes: Uint8Array
      readonly projectId: number | undefined
    }
  /** And to begin another segment, so that the consumed one can go. */
  | { readonly kind: 'roll'; readonly id: number }

type FrontMessage =
  | { readonly kind: 'appended'; readonly id: number; readonly error: string | undefined }
  | {
      readonly kind: 'rolled'
      readonly id: number
      readonly from: number | undefined
      readonly error: string | undefined
    }
