/**
 * When a scheduled job is expected next. Crontabs as vixie-cron reads them, by croner: a time that the clocks skip in spring is
 * expected at the moment of the change, a time that they repeat in autumn once, and what runs every hour or minute runs in both.
 * Intervals of days and longer keep the time of day of their zone.
 */
import { createBoundedMap } from '@sonde/base'
import { Cron } from 'croner'
import type { CronUnit } from './cron-words.ts'

export type CronSchedule =
  | { readonly type: 'crontab'; readonly value: string }
  | { readonly type: 'interval'; readonly value: number; readonly unit: CronUnit }
export type Scheduled = { readonly schedule: CronSchedule; readonly timezone: string }

const crons = createBoundedMap<string, Cron>(1_000)

/** Throws for what is none. */
function cronOf(value: string, timezone: string): Cron {
  const key = `${timezone} ${value}`
  const known = crons.get(key)
  if (known) return known
  const made = new Cron(value, { timezone, mode: '5-part' })
  crons.set(key, made)
  return made
}

/** Of five fields or a macro such as `@hourly`, and at some time there is a run. */
export function isCrontab(value: string): boolean {
  try {
    return cronOf(value, 'UTC').nextRun(new Date(0)) !== null
  } catch {
    return false
  }
}

/** After `afterMs`; of an interval one interval after it. Null: never again. */
export function nextRunAt({ schedule, timezone }: Scheduled, afterMs: number): number | null {
  if (schedule.type === 'interval') return afterInterval(schedule.value, schedule.unit, timezone, afterMs)
  return cronOf(schedule.value, timezone).nextRun(new Date(afterMs))?.getTime() ?? null
}

export function upcomingRuns(scheduled: Scheduled, afterMs: number, count: number): readonly number[] {
  const runs: number[] = []
  let at: number | null = afterMs
  while (runs.length < count && (at = nextRunAt(scheduled, at)) !== null) runs.push(at)
  return runs
}

const MINUTE_MS = 60_000
const MONTHS: Readonly<Partial<Record<CronUnit, number>>> = { month: 1, year: 12 }
const DAYS: Readonly<Partial<Record<CronUnit, number>>> = { day: 1, week: 7 }

function afterInterval(value: number, unit: CronUnit, timezone: string, fromMs: number): number {
  if (unit === 'minute') return fromMs + value * MINUTE_MS
  if (unit === 'hour') return fromMs + value * 60 * MINUTE_MS
  const wall = new Date(fromMs + offsetAt(timezone, fromMs))
  const months = value * (MONTHS[unit] ?? 0)
  const day = wall.getUTCDate()
  if (months > 0) {
    wall.setUTCDate(1)
    wall.setUTCMonth(wall.getUTCMonth() + months)
    // January 31 and a month is the last of February.
    const last = new Date(Date.UTC(wall.getUTCFullYear(), wall.getUTCMonth() + 1, 0)).getUTCDate()
    wall.setUTCDate(Math.min(day, last))
  } else wall.setUTCDate(day + value * (DAYS[unit] ?? 0))
  const wallMs = wall.getTime()
  const near = wallMs - offsetAt(timezone, wallMs - offsetAt(timezone, fromMs))
  return wallMs - offsetAt(timezone, near)
}

const formats = createBoundedMap<string, Intl.DateTimeFormat>(600)

/** What the zone's clocks show more than UTC, milliseconds. */
function offsetAt(timeZone: string, atMs: number): number {
  const format =
    formats.get(timeZone) ??
    new Intl.DateTimeFormat('en-US', {
      timeZone,
      hourCycle: 'h23',
      year: 'numeric',
      month: 'numeric',
      day: 'numeric',
      hour: 'numeric',
      minute: 'numeric',
      second: 'numeric',
    })
  formats.set(timeZone, format)
  const parts = new Map(format.formatToParts(atMs).map(({ type, value }) => [type, Number(value)]))
  const part = (type: Intl.DateTimeFormatPartTypes): number => parts.get(type) ?? 0
  const shown = Date.UTC(
    part('year'),
    part('month') - 1,
    part('day'),
    part('hour'),
    part('minute'),
    part('second'),
  )
  return shown - Math.floor(atMs / 1_000) * 1_000
}
