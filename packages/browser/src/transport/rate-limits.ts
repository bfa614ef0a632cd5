/** What the server asks to hold back: https://develop.sentry.dev/sdk/expected-features/rate-limiting/ */

// R4: a limit that names no time, or none that can be read.
const DEFAULT_SECONDS = 60

export type RateLimits = {
  /** A 413 is about one body, not about the rate, and changes nothing. */
  read(answer: Response): void
  holds(category: string): boolean
}

export function createRateLimits(): RateLimits {
  // Category → milliseconds since 1970; '' is all of them.
  const until: Record<string, number> = {}
  const limit = (category: string, seconds: number): void => {
    until[category] = Math.max(until[category] ?? 0, Date.now() + seconds * 1000)
  }
  return {
    read({ status, headers }) {
      const limits = headers.get('X-Sentry-Rate-Limits')
      const retryAfter = headers.get('Retry-After')
      if (status === 413) return
      if (limits) {
        for (const entry of limits.split(',')) {
          const [seconds = '', categories = ''] = entry.trim().split(':')
          for (const category of categories.split(';')) limit(category.trim(), secondsOf(seconds))
        }
      } else if (retryAfter || status === 429) limit('', secondsOf(retryAfter))
    },
    // Reports of what was lost are never held back.
    holds: (category) =>
      category !== 'internal' && Math.max(until[category] ?? 0, until[''] ?? 0) > Date.now(),
  }
}

/** Seconds, also with decimals, or an HTTP date. */
function secondsOf(text: string | null): number {
  const seconds = text ? Number(text) : NaN
  if (seconds >= 0) return seconds
  const untilMs = Date.parse(text ?? '')
  return untilMs ? Math.max(0, (untilMs - Date.now()) / 1000) : DEFAULT_SECONDS
}
