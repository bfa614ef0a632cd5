import { z } from 'zod'

/** `count` items of each category within `windowSec` seconds; 0 refuses everything. Null: no limit. */
export type RateLimitInput = { readonly count: number; readonly windowSec: number } | null

// A window of a month is the longest quota that anybody plans with.
const MAX_WINDOW_SEC = 31 * 24 * 60 * 60
const MAX_COUNT = 1_000_000_000

export const rateLimitField = z
  .object({
    count: z
      .int('is a whole number of events')
      .min(0, 'is a number of events, 0 or more')
      .max(MAX_COUNT, `allows at most ${MAX_COUNT} events`),
    windowSec: z
      .int('counts within whole seconds')
      .min(1, 'counts within at least 1 second')
      .max(MAX_WINDOW_SEC, 'counts within at most 31 days'),
  })
  .nullable()

/** As the two columns are stored. */
export const rateLimitColumns = (limit: RateLimitInput) => ({
  rate_limit_count: limit?.count ?? null,
  rate_limit_window_sec: limit?.windowSec ?? null,
})
