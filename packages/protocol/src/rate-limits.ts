/**
 * Rate limits on the wire, both directions: `X-Sentry-Rate-Limits: 60:error;transaction:key:quota, …`
 * https://develop.sentry.dev/sdk/expected-features/rate-limiting/
 */
import { type DataCategory, isDataCategory } from './outcome.ts'

export type RateLimitScope = 'organization' | 'project' | 'key'

export type RateLimit = {
  /** Whole seconds when written; read ones may have decimals. */
  readonly retryAfterSec: number
  /** Empty means everything. */
  readonly categories: readonly DataCategory[]
  readonly scope?: RateLimitScope
  /** Which quota it was, for people. */
  readonly reason?: string
  /** Of `metric_bucket` limits only. A client without custom metrics skips a limit that lacks `custom`. */
  readonly namespaces?: readonly string[]
}

/** Fact R4, and what SDKs take for a number they cannot read. */
export const DEFAULT_RETRY_AFTER_SEC = 60

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

/**
 * Never throws. Entries that name only categories nobody knows are left out: kept with an empty list
 * they would stop everything.
 */
export function parseRateLimits(header: string): RateLimit[] {
  return header
    .split(',')
    .map((entry) => entry.trim())
    .filter((entry) => entry !== '')
    .map(parseRateLimit)
    .filter((limit) => limit !== undefined)
}

function parseRateLimit(entry: string): RateLimit | undefined {
  const [seconds = '', names = '', scope = '', reason = '', namespaces = ''] = entry
    .split(':')
    .map((field) => field.trim())
  const wanted = listOf(names)
  const categories = wanted.map(toCategory).filter((category) => category !== undefined)
  if (wanted.length > 0 && categories.length === 0) return undefined
  return {
    retryAfterSec: parseSeconds(seconds) ?? DEFAULT_RETRY_AFTER_SEC,
    categories: [...new Set(categories)],
    ...(isScope(scope) ? { scope } : {}),
    ...(reason === '' ? {} : { reason }),
    ...(namespaces === '' ? {} : { namespaces: listOf(namespaces) }),
  }
}

/** `Retry-After`: seconds or an HTTP date; 60 s if it can be read as neither. */
export function parseRetryAfter(header: string, nowMs: number): number {
  const seconds = parseSeconds(header.trim())
  if (seconds !== undefined) return seconds
  const dateMs = Date.parse(header)
  return Number.isNaN(dateMs) ? DEFAULT_RETRY_AFTER_SEC : Math.max(0, (dateMs - nowMs) / 1000)
}

export type ServerAnswer = {
  readonly status: number
  readonly rateLimits?: string | null | undefined
  readonly retryAfter?: string | null | undefined
}

/**
 * What an answer of any status asks a client to hold back. `Retry-After` counts only where
 * `X-Sentry-Rate-Limits` is absent; a 429 with neither stops everything for 60 s.
 * A 413 is about one body, not about the rate: nothing.
 */
export function readRateLimits(answer: ServerAnswer, nowMs: number): RateLimit[] {
  if (answer.status === 413) return []
  if (answer.rateLimits) return parseRateLimits(answer.rateLimits)
  if (answer.retryAfter) {
    return [{ retryAfterSec: parseRetryAfter(answer.retryAfter, nowMs), categories: [] }]
  }
  return answer.status === 429 ? [{ retryAfterSec: DEFAULT_RETRY_AFTER_SEC, categories: [] }] : []
}

/** Decimals are fine, signs and exponents are not. */
function parseSeconds(text: string): number | undefined {
  return /^\d{1,15}(?:\.\d{1,15})?$/.test(text) ? Number(text) : undefined
}

function listOf(text: string): string[] {
  return text
    .split(';')
    .map((name) => name.trim())
    .filter((name) => name !== '')
}

function toCategory(name: string): DataCategory | undefined {
  if (name === 'metric') return 'trace_metric'
  return isDataCategory(name) ? name : undefined
}

function isScope(text: string): text is RateLimitScope {
  return text === 'organization' || text === 'project' || text === 'key'
}
