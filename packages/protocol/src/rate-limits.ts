/**
 * Rate limits as the server tells them: `X-Sentry-Rate-Limits: 60:error;transaction:key:quota, …`
 * https://develop.sentry.dev/sdk/expected-features/rate-limiting/
 */
import type { DataCategory } from './outcome.ts'

export type RateLimitScope = 'organization' | 'project' | 'key'

export type RateLimit = {
  /** Whole seconds when written. */
  readonly retryAfterSec: number
  /** Empty means everything. */
  readonly categories: readonly DataCategory[]
  readonly scope?: RateLimitScope
  /** Which quota it was, for people. */
  readonly reason?: string
  /** Of `metric_bucket` limits only. A client without custom metrics skips a limit that lacks `custom`. */
  readonly namespaces?: readonly string[]
}

/**
 * The JavaScript SDKs look these categories up under older names, so a limit has to name both.
 * https://github.com/getsentry/sentry-javascript/blob/f7a6cc0c/packages/core/src/utils/envelope.ts
 */
const JAVASCRIPT_NAMES: { readonly [category in DataCategory]?: string } = {
  trace_metric: 'metric',
  profile_chunk: 'profile',
}

/** Seconds are rounded up and at least 1: SDKs take 0 as "not limited". Empty list gives `''`: send no header. */
export function formatRateLimits(limits: readonly RateLimit[]): string {
  return limits.map(formatRateLimit).join(', ')
}

function formatRateLimit(limit: RateLimit): string {
  const categories = limit.categories.flatMap((category) => [
    category,
    JAVASCRIPT_NAMES[category] ?? category,
  ])
  const fields = [
    String(Math.max(1, Math.ceil(limit.retryAfterSec))),
    [...new Set<string>(categories)].join(';'),
    limit.scope ?? 'key',
    toToken(limit.reason ?? ''),
    (limit.namespaces ?? []).map(toToken).join(';'),
  ]
  while (fields.at(-1) === '') fields.pop()
  return fields.join(':')
}

/** Separators would change the meaning, control characters would break the response. */
function toToken(text: string): string {
  return text.replaceAll(/[^\w.-]+/g, '_')
}
