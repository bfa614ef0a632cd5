/**
 * How a received item ends, and in which category it is counted. Every item ends in exactly one
 * outcome; a drop has a reason. Categories: https://develop.sentry.dev/sdk/expected-features/rate-limiting/#definitions
 */

import type { NoiseClass } from './noise.ts'
import type { OutcomeReason, ReasonedOutcome } from './outcome-reasons.ts'

export { OUTCOME_REASONS, type OutcomeReason, type ReasonedOutcome } from './outcome-reasons.ts'

/** Names as they stand in `X-Sentry-Rate-Limits` and in client reports. */
const DATA_CATEGORIES = [
  'default',
  'error',
  'transaction',
  'monitor',
  'span',
  'log_item',
  'log_byte',
  'security',
  'attachment',
  'session',
  'profile',
  'profile_chunk',
  'profile_chunk_ui',
  'replay',
  'feedback',
  'trace_metric',
  'trace_metric_byte',
  'metric_bucket',
  'internal',
  'user_report_v2',
  'attachment_item',
] as const
export type DataCategory = (typeof DATA_CATEGORIES)[number]

export function isDataCategory(name: string): name is DataCategory {
  return (DATA_CATEGORIES as readonly string[]).includes(name)
}

/**
 * - `accepted`: stored, or (client reports) taken into the counts.
 * - `filtered`: dropped on purpose by a rule of the project.
 * - `rate_limited`: over a quota; the sender was told.
 * - `invalid`: cannot be read or is over a size limit; sending it again would not help.
 * - `failed`: our fault; kept as a dead letter that can be replayed.
 * - `unsupported`: well-formed, but of a kind that Sonde does not show (yet); not kept.
 * - `client_discard`: never arrived; the SDK's client report says how many.
 *
 * Upstream also has `abuse` (its own overload quotas) and `cardinality_limited` (metrics): here the
 * first is `rate_limited` with reason `overload`, the second cannot happen.
 */
export const OUTCOMES = [
  'accepted',
  'filtered',
  'rate_limited',
  'invalid',
  'failed',
  'unsupported',
  'client_discard',
] as const
export type Outcome = (typeof OUTCOMES)[number]

/** What may be counted as the reason of an outcome. */
export type CountedReason<O extends Outcome> = O extends ReasonedOutcome
  ? OutcomeReason<O> | GoesOn<O>
  : O extends 'accepted'
    ? ''
    : string

/** Reasons that go on with a name: of the rule, of the kind. */
type GoesOn<O> = O extends 'unsupported'
  ? `unknown_kind:${string}`
  : O extends 'filtered'
    ? `sampled:${string}` | NoiseReason
    : never

/** One decision, with its reason where the outcome has reasons. */
export type ItemOutcome =
  | { readonly outcome: 'accepted' }
  | { readonly outcome: 'client_discard'; readonly reason: string }
  | {
      readonly [O in ReasonedOutcome]: {
        readonly outcome: O
        readonly reason: OutcomeReason<O> | (O extends 'filtered' ? NoiseReason : never)
      }
    }[ReasonedOutcome]
/** What is dropped for its class of noise. */
type NoiseReason = `noise:${NoiseClass}`
