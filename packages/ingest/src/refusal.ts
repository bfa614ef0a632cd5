/** Why a request is not taken: what the client is told and what is counted. Thrown inside ingest only. */
import type { OutcomeReason } from '@sonde/protocol'

export type RefusalStatus = 400 | 401 | 403 | 404 | 405 | 408 | 413 | 415 | 429 | 500 | 502 | 503

/** Counted under the outcome that it belongs to. */
export type CountedRefusal = OutcomeReason<'filtered' | 'invalid' | 'rate_limited' | 'failed'>
/** Nothing was received, or its items are counted one by one. */
type UncountedRefusal = 'client_gone' | 'bad_method' | 'unsupported_endpoint'
export type RefusalReason = CountedRefusal | UncountedRefusal

export type RefusalDetails = {
  readonly status: RefusalStatus
  /** One sentence for the person who reads the SDK's log; goes into the body and `X-Sentry-Error`. */
  readonly detail: string
  /** The outcome's reason and the metric's label. */
  readonly reason: RefusalReason
  readonly causes?: readonly string[]
  readonly retryAfterSec?: number
  /** The value of `X-Sentry-Rate-Limits`. */
  readonly rateLimits?: string
  /** For 405: the methods that the endpoint knows. */
  readonly allow?: string
  /** Its items are counted already, one by one. */
  readonly isCounted?: boolean
  /** The sender cannot be trusted to end its body: answer and hang up. */
  readonly hangUp?: boolean
}

export class Refusal extends Error {
  readonly details: RefusalDetails

  constructor(details: RefusalDetails) {
    super(details.detail)
    this.name = 'Refusal'
    this.details = details
  }
}

export function refuse(
  status: RefusalStatus,
  reason: RefusalReason,
  detail: string,
  more: Partial<RefusalDetails> = {},
): Refusal {
  return new Refusal({ ...more, status, reason, detail })
}
