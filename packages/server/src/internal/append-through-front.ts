/** The back's way to the log: the front, which is its only writer, appends for it. */
import { UnavailableError } from '@sonde/base'
import type { LogWriter } from '@sonde/log'

const FRONT_GONE = 'the front process is gone'
const RETRY_AFTER_SEC = 10

type Channel = Pick<NodeJS.Process, 'connected' | 'on' | 'send'>

export function appendThroughFront(channel: Channel): LogWriter['append'] {
  const ask = asking(channel, 'appended', 'append to the log')
  return async (bytes, _more, projectId) =>
    void (await ask((id) => ({ kind: 'append', id, bytes, projectId })))
}

/** What is consumed of the log goes from the disk: see `LogWriter.roll`. */
export function rollThroughFront(channel: Channel): () => Promise<number> {
  const ask = asking(channel, 'rolled', 'roll the log')
  return async () => (await ask((id) => ({ kind: 'roll', id }))).from
}

type Answer<Kind extends FrontMessage['kind']> = Extract<FrontMessage, { kind: Kind; error: undefined }>

/** Rejects with `UnavailableError` when the front says no, and when it is gone: then nobody answers what still waits. */
function asking<Kind extends FrontMessage['kind']>(channel: Channel, kind: Kind, operation: string) {
  let lastId = 0
  const waiting = new Map<number, PromiseWithResolvers<Answer<Kind>>>()
  const failed = (message: string): Error =>
    new UnavailableError(message, { operation, retryAfterSec: RETRY_AFTER_SEC })
  channel.on('message', (message: FrontMessage) => {
    if (message.kind !== kind) return
    const one = waiting.get(message.id)
    waiting.delete(message.id)
    if (message.error === undefined) one?.resolve(message as Answer<Kind>)
    else one?.reject(failed(message.error))
  })
  channel.on('disconnect', () => {
    for (const one of waiting.values()) one.reject(failed(FRONT_GONE))
    waiting.clear()
  })
  return (question: (id: number) => BackMessage): Promise<Answer<Kind>> => {
    if (!channel.connected) return Promise.reject(failed(FRONT_GONE))
    const id = ++lastId
    const one = Promise.withResolvers<Answer<Kind>>()
    waiting.set(id, one)
    channel.send?.(question(id))
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
    return { kind: 'rolled', id, error: messageOf(error) }
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
    return { kind: 'appended', id: message.id, error: messageOf(error) }
  }
}

const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error))

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
  | { readonly kind: 'appended'; readonly id: number; readonly error: undefined }
  | { readonly kind: 'rolled'; readonly id: number; readonly from: number; readonly error: undefined }
  | { readonly kind: 'appended' | 'rolled'; readonly id: number; readonly error: string }
