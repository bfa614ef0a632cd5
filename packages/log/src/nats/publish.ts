/**
 * Publishes with acknowledgement: resolves once the stream has the message. While servers come and go it is sent again under
 * the same id, which the stream drops when it has it already.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import { JetStreamApiError } from '@nats-io/jetstream'
import { headers, type MsgHdrs } from '@nats-io/transport-node'
import { SondeError, UnavailableError } from '@sonde/base'
import type { NatsLog } from './connect.ts'

export type Message = {
  readonly subject: string
  readonly payload: Uint8Array
  /** Of this message alone; the same again when it is repeated. */
  readonly id: string
  readonly headers?: Readonly<Record<string, string>>
}

const ATTEMPT_MS = 2_500
const FIRST_PAUSE_MS = 50
const LONGEST_PAUSE_MS = 500
// As with a full disk: it is worked off over seconds; sooner would only repeat the refusal.
const RETRY_AFTER_SEC = 10
// They would be the same a moment later: "maximum bytes exceeded", of one stream; "insufficient resources" and "storage
// resources exceeded", of the servers or the account.
const STREAM_FULL = 10077
const NO_ROOM: readonly number[] = [10023, 10047]

/** One stream holds as much as it may; others go on. */
export class StreamFullError extends UnavailableError {
  constructor({ address }: NatsLog, cause: unknown) {
    super('this part of the log in NATS is full', {
      operation: 'append to the log',
      subject: address,
      hint: 'the pipeline frees it; see sonde doctor',
      retryAfterSec: RETRY_AFTER_SEC,
      cause,
    })
  }
}

/** The position in the stream. Throws `UnavailableError`. */
export async function publish(log: NatsLog, message: Message, withinMs: number): Promise<number> {
  const untilMs = performance.now() + withinMs
  for (let attempt = 0; ; attempt++) {
    try {
      const ack = await log.publisher.publish(message.subject, message.payload, {
        msgID: message.id,
        timeout: Math.max(1, Math.min(ATTEMPT_MS, untilMs - performance.now())),
        ...(message.headers && { headers: headersOf(message.headers) }),
      })
      return ack.seq
    } catch (error) {
      const { code = 0, status = 0 } = apiError(error)
      if (code === STREAM_FULL) throw new StreamFullError(log, error)
      if (NO_ROOM.includes(code))
        throw refusal(
          log,
          'the servers of NATS have no room',
          'the pipeline frees it; see sonde doctor',
          error,
        )
      if (status >= 400 && status < 500)
        throw new SondeError('internal', `NATS refuses a record: ${String(error)}`, {
          operation: 'append to the log',
          subject: message.subject,
          cause: error,
        })
      const pauseMs = Math.min(LONGEST_PAUSE_MS, FIRST_PAUSE_MS * 2 ** Math.min(attempt, 10))
      if (log.connection.isClosed() || performance.now() + pauseMs > untilMs)
        throw refusal(log, `NATS does not take records: ${String(error)}`, 'it goes on by itself', error)
      await sleep(pauseMs)
    }
  }
}

export const refusal = (log: NatsLog, message: string, hint: string, cause?: unknown): UnavailableError =>
  new UnavailableError(message, {
    operation: 'append to the log',
    subject: log.address,
    hint,
    retryAfterSec: RETRY_AFTER_SEC,
    ...(cause === undefined ? {} : { cause }),
  })

const apiError = (error: unknown): { readonly code?: number; readonly status?: number } =>
  error instanceof JetStreamApiError ? { code: error.code, status: error.status } : {}

function headersOf(values: Readonly<Record<string, string>>): MsgHdrs {
  const list = headers()
  for (const [name, value] of Object.entries(values)) list.set(name, value)
  return list
}
