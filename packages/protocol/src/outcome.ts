/**
 * How a received item ends, and in which category it is counted. Every item ends in exactly one
 * outcome; a drop has a reason. Categories: https://develop.sentry.dev/sdk/expected-features/rate-limiting/#definitions
 */

/** Names as they stand in `X-Sentry-Rate-Limits` and in client reports. */
export const DATA_CATEGORIES = [
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

/** Reasons that we give. `accepted` needs none; `client_discard` has the SDK's own text. */
export const OUTCOME_REASONS = {
  filtered: [
    'allowed_domains',
    'browser_extension',
    'crawler',
    'error_message',
    'localhost',
    'release',
    'ip',
    'event_dropped',
  ],
  rate_limited: ['key_quota', 'project_quota', 'overload'],
  invalid: [
    'too_large',
    'too_many_items',
    'duplicate_item',
    'duplicate_event',
    'bad_json',
    'bad_payload',
    'missing_event_id',
    'project_gone',
    'key_disabled',
  ],
  failed: ['digest_error', 'digest_timeout'],
  unsupported: ['not_yet_shown', 'discontinued', 'internal_kind', 'unknown_kind'],
} as const satisfies Partial<Record<Outcome, readonly string[]>>
export type OutcomeReason<O extends keyof typeof OUTCOME_REASONS> = (typeof OUTCOME_REASONS)[O][number]

/** One decision, with its reason where the outcome has reasons. */
export type ItemOutcome =
  | { readonly outcome: 'accepted' }
  | { readonly outcome: 'client_discard'; readonly reason: string }
  | {
      readonly [O in keyof typeof OUTCOME_REASONS]: { readonly outcome: O; readonly reason: OutcomeReason<O> }
    }[keyof typeof OUTCOME_REASONS]
