/** When backups are due. Pure. A time that the clocks skip in spring is due at the moment of the change, one that they repeat once. */
import { upcomingRuns } from '@sonde/alerts'
import type { BackupPlan } from '@sonde/commands'

const HOUR_MS = 3_600_000
/** By how much clocks change, and more. */
const CHANGE_MS = 3 * HOUR_MS

type Times = Pick<BackupPlan, 'schedule' | 'at' | 'weekday' | 'zone'>

const INTERVAL_HOURS: Readonly<Record<BackupPlan['schedule'], number>> = {
  off: 0,
  'every-6h': 6,
  'every-12h': 12,
  daily: 24,
  weekly: 7 * 24,
}

/** The last time that is not later than now. Undefined: there is no schedule. */
export function lastDueMs(times: Times, nowMs: number): number | undefined {
  const intervalMs = INTERVAL_HOURS[times.schedule] * HOUR_MS
  return runsAfter(times, nowMs - intervalMs - CHANGE_MS, 3).findLast((atMs) => atMs <= nowMs)
}

/** Undefined: there is no schedule. */
export const nextDueMs = (times: Times, nowMs: number): number | undefined => runsAfter(times, nowMs, 1)[0]

/** Of the last good backup; undefined: nobody watches it. */
export function warnAfterMs({
  schedule,
  warnAfterHours,
}: Pick<BackupPlan, 'schedule' | 'warnAfterHours'>): number | undefined {
  const hours = warnAfterHours ?? 2 * INTERVAL_HOURS[schedule]
  return hours === 0 ? undefined : hours * HOUR_MS
}

function runsAfter(
  { schedule, at, weekday, zone }: Times,
  afterMs: number,
  count: number,
): readonly number[] {
  if (schedule === 'off') return []
  const [hour, minute] = at.split(':').map(Number)
  const crontab = {
    'every-6h': '0 */6 * * *',
    'every-12h': '0 */12 * * *',
    daily: `${minute} ${hour} * * *`,
    weekly: `${minute} ${hour} * * ${weekday}`,
  }[schedule]
  const isByClock = schedule === 'daily' || schedule === 'weekly'
  const value = { type: 'crontab', value: crontab } as const
  return upcomingRuns({ schedule: value, timezone: isByClock ? zone : 'UTC' }, afterMs, count)
}
