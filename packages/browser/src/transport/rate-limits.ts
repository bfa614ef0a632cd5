/** What the server asks to hold back: https://develop.sentry.dev/sdk/expected-features/rate-limiting/ */

// R4: a limit that names no time, or none that can be read.
const DEFAULT_WAIT_MS = 60_000

export type RateLimits = {
  /** A 413 is about one body, not about the rate, and changes nothing. */
  read(answer: Response): void
  holds(category: string): boolean
}

export function createRateLimits(): RateLimits {
  // Category → milliseconds since 1970; '' is all of them.
  const until: Record<string, number> = {}
  const limit = (category: string, time: string): void => {
    const seconds = parseFloat(time)
    // Seconds, also with decimals, or an HTTP date.
    const waitMs = seconds >= 0 ? seconds * 1000 : Date.parse(time) - Date.now()
    until[category] = Date.now() + (waitMs || DEFAULT_WAIT_MS)
  }
  return {
    read({ status, headers }) {
      const retryAfter = headers.get('Retry-After') ?? ''
      const limits = headers.get('X-Sentry-Rate-Limits')
      if (status === 413) return
      if (limits) {
        for (const entry of limits.split(',')) {
          const [seconds, categories = ''] = entry.split(':')
          for (const category of categories.split(';')) limit(category.trim(), seconds!)
        }
      } else if (retryAfter || status === 429) limit('', retryAfter)
    },
    holds: (category) => [category, ''].some((key) => until[key]! > Date.now()),
  }
}
