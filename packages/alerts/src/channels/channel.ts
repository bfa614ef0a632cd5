/** What every kind of channel is: the form of its settings, and how it delivers a message. */
import type { Outgoing, OutgoingAnswer } from '@sonde/outgoing'
import { OutgoingError } from '@sonde/outgoing'
import type { z } from 'zod'
import type { Message } from '../messages/message.ts'
import { retryAfterMs } from '../outbox/retry.ts'

export type Delivery = {
  /** The same each time that this message is tried: receivers tell a repeat by it. */
  readonly key: string
  readonly message: Message
  readonly nowMs: number
  /** Of a channel with threads: the message that this one belongs to. Absent: it is the first. */
  readonly thread?: string
}

export type DeliveryResult =
  | {
      readonly isDelivered: true
      readonly answer: string
      /** What later messages of the same thread name. */
      readonly thread?: string
    }
  | Undelivered

export type Undelivered = {
  readonly isDelivered: false
  /** What the other side said, for people. */
  readonly answer: string
  /** `never`: however often it is tried, it is refused. */
  readonly again: 'later' | 'never'
  /** The other side asked for so much time. */
  readonly afterMs?: number
}

export type Channel<Settings, Secret> = {
  /** What anybody who may see the channel sees. */
  readonly settings: z.ZodType<Settings>
  /** Kept sealed, never shown again. */
  readonly secret: z.ZodType<Secret>
  /**
   * It calls people and keeps incidents of its own: each of ours is one there, never a part of a digest, which nobody could
   * acknowledge or resolve. It groups them itself.
   */
  readonly isPager?: true
  /** Of one with threads: where they are. In another conversation an old thread is of no use. */
  conversationOf?(settings: Settings): string
  /** Never throws for what the other side does. */
  deliver(outgoing: Outgoing, settings: Settings, secret: Secret, delivery: Delivery): Promise<DeliveryResult>
}

/** Of a kind that is known at run time only: what its schemas give is what it takes. */
// oxlint-disable-next-line typescript/no-explicit-any
export type AnyChannel = Channel<any, any>

/** Sends a request and reads its status as most of them mean it: 2xx took it, 408, 425, 429 and 5xx may take it later. */
export async function deliverByRequest(
  outgoing: Outgoing,
  request: Parameters<Outgoing['request']>[0],
): Promise<DeliveryResult> {
  try {
    return resultOf(await outgoing.request(request))
  } catch (error) {
    return unanswered(error)
  }
}

/** There was no answer. Throws what is no failure of the request. */
export function unanswered(error: unknown): Undelivered {
  if (!(error instanceof OutgoingError)) throw error
  const again = error.failure === 'address' || error.failure === 'refused' ? 'never' : 'later'
  return { isDelivered: false, answer: [error.message, error.hint].filter(Boolean).join('. '), again }
}

const SHOWN_CHARS = 500
const LATER: ReadonlySet<number> = new Set([408, 425, 429])

export function resultOf({ status, body, headers }: OutgoingAnswer): DeliveryResult {
  const answer = `${status} ${body.slice(0, SHOWN_CHARS)}`.trim()
  if (status >= 200 && status < 300) return { isDelivered: true, answer }
  if (status >= 300 && status < 400)
    return { isDelivered: false, answer: `${answer} (redirects are not followed)`.trim(), again: 'never' }
  if (status < 500 && !LATER.has(status)) return { isDelivered: false, answer, again: 'never' }
  const afterMs = retryAfterMs(headers['retry-after'])
  return { isDelivered: false, answer, again: 'later', ...(afterMs !== undefined && { afterMs }) }
}
