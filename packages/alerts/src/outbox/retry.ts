/** When what failed is tried again: messages to channels, changes to issues of trackers. */

/** Waiting times after each attempt that failed; then it has failed for good. */
const RETRY_AFTER_MS = [5_000, 30_000, 120_000, 600_000, 1_800_000, 3_600_000, 7_200_000, 14_400_000] as const

/** Undefined: it was tried often enough. `afterMs`: the other side asked for so much time. */
export function nextAttemptMs(attempts: number, nowMs: number, afterMs = 0): number | undefined {
  const waitMs = RETRY_AFTER_MS[attempts - 1]
  return waitMs === undefined ? undefined : nowMs + Math.max(waitMs, afterMs)
}

const MAX_RETRY_AFTER_MS = 60 * 60_000

/** Of `Retry-After`: seconds, as those that limit rates send it; a date is left to the schedule. */
export function retryAfterMs(text: string | undefined): number | undefined {
  const seconds = Number(text)
  return text === undefined || !Number.isFinite(seconds) || seconds <= 0
    ? undefined
    : Math.min(MAX_RETRY_AFTER_MS, seconds * 1_000)
}
