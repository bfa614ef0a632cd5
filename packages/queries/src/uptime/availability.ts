/** Which share of checks was right, from the counts of hours. */
import { rateEstimate } from '../performance/change-interval.ts'

const HOUR_MS = 3_600_000
export const DAY_MS = 24 * HOUR_MS

export type Hour = {
  readonly hourMs: number
  readonly checks: number
  readonly failed: number
  /** Sum of the times of those that were right. */
  readonly upMs: number
}

export type Availability = {
  /** Null: there was no check. */
  readonly share: number | null
  /** Where the true share lies with a probability of 95 %; undefined: too few checks to tell. */
  readonly interval: { readonly low: number; readonly high: number } | undefined
  readonly checks: number
}

/** Of the hours from `fromMs` on. */
export function availabilityOf(hours: readonly Hour[], fromMs: number): Availability {
  let checks = 0
  let failed = 0
  for (const hour of hours)
    if (hour.hourMs > fromMs - HOUR_MS) {
      checks += hour.checks
      failed += hour.failed
    }
  if (checks === 0) return { share: null, interval: undefined, checks }
  const share = (checks - failed) / checks
  const estimate = rateEstimate(share, checks)
  return { share, interval: estimate && { low: estimate.low, high: estimate.high }, checks }
}

/** Mean time of each of the last 24 hours, the oldest first; null: nothing was right then, or nothing was checked. */
export function dayTimes(hours: readonly Hour[], nowMs: number): readonly (number | null)[] {
  const last = Math.floor(nowMs / HOUR_MS) * HOUR_MS
  const known = new Map(hours.map((hour) => [hour.hourMs, hour]))
  return Array.from({ length: 24 }, (_, index) => {
    const hour = known.get(last - (23 - index) * HOUR_MS)
    return hour && hour.checks > hour.failed ? hour.upMs / (hour.checks - hour.failed) : null
  })
}
