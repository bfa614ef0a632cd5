/** When collected mail goes out. Pure. */
import type { MailPace } from '@sonde/stores'
import { minuteOfDay } from '../time-zone.ts'

type MailTimes = {
  readonly pace: MailPace
  /** Of `day`: the full hour by the clock of `zone`; of a person who chose none, UTC. */
  readonly hour: number
  readonly zone: string
}

const MINUTE_MS = 60_000
const HOUR_MS = 60 * MINUTE_MS
const DAY_MS = 24 * HOUR_MS
const DAY_MINUTES = 24 * 60

/** The next time, always later than now; undefined: at once. */
export function nextMailMs({ pace, hour, zone }: MailTimes, nowMs: number): number | undefined {
  if (pace === 'once') return undefined
  if (pace === 'hour') return (Math.floor(nowMs / HOUR_MS) + 1) * HOUR_MS
  const away = (atMs: number): number => hour * 60 - minuteOfDay(zone || 'UTC', atMs)
  const startMs = Math.floor(nowMs / MINUTE_MS) * MINUTE_MS
  // A zone whose clock jumps meanwhile: what is left to the hour is looked up again there. The shorter way, or a day is lost.
  let atMs = startMs + ((away(startMs) + DAY_MINUTES) % DAY_MINUTES) * MINUTE_MS
  const left = away(atMs)
  atMs +=
    (left > DAY_MINUTES / 2 ? left - DAY_MINUTES : left < -DAY_MINUTES / 2 ? left + DAY_MINUTES : left) *
    MINUTE_MS
  return atMs > nowMs ? atMs : atMs + DAY_MS
}
