/** What is measured of transactions, as SQL over their roots: the same in lists, heads and charts. */

/** Satisfied up to this, miserable beyond four times it (Apdex: https://www.apdex.org). */
const MISERY_MS = 300

/** How many a sampled row stands for. */
export const STANDS_FOR = '(1 / sample_rate)'
/** What was broken off or has no status is no failure. */
export const HAS_FAILED = `status NOT IN ('', 'ok', 'cancelled', 'unknown')`
/**
 * Different people, exact up to some thousands and within 1 % above. Hashed by hand: the engine then hashes a row once for
 * both, and the whole query costs a fifth less.
 */
const people = (condition: string): string => `uniqCombinedIf(14)(cityHash64(user_key), ${condition})`
export const USERS = people(`user_key != ''`)
export const MISERABLE_USERS = people(`user_key != '' AND duration_ms > ${4 * MISERY_MS}`)

/** Of which measures a change can be told. */
export const COMPARED = ['p50', 'p75', 'p95', 'failureRate'] as const
export type Compared = (typeof COMPARED)[number]
/** Of those that are percentiles. */
export const LEVELS = { p50: 0.5, p75: 0.75, p95: 0.95 } as const

/**
 * Samples of equal weight that would tell as much as these of unequal ones (Kish). With one rate for all it is their
 * number.
 */
export const EFFECTIVE_SAMPLES = 'pow(sum(1 / sample_rate), 2) / sum(pow(1 / sample_rate, 2))'
