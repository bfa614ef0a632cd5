/**
 * Times as people read them. Relative ones need no time zone; clock times take one, so that the server (UTC) and the
 * browser (its own) can each say what they mean, and the first render in the browser can repeat the server's.
 */
import { minutesAhead } from './person-zone.ts'

/** `local`: the person's. */
export type Zone = 'utc' | 'local'

const SECOND_MS = 1_000
const MINUTE_MS = 60_000
const HOUR_MS = 3_600_000
const DAY_MS = 86_400_000

const AGES = [
  { belowMs: MINUTE_MS, unitMs: SECOND_MS, unit: 's' },
  { belowMs: HOUR_MS, unitMs: MINUTE_MS, unit: 'min' },
  { belowMs: DAY_MS, unitMs: HOUR_MS, unit: 'h' },
  { belowMs: 14 * DAY_MS, unitMs: DAY_MS, unit: 'd' },
  { belowMs: 70 * DAY_MS, unitMs: 7 * DAY_MS, unit: 'w' },
  { belowMs: 730 * DAY_MS, unitMs: 30.44 * DAY_MS, unit: 'mo' },
] as const

/** `now`, `42s`, `5min`, `3h`, `2d`, `6w`, `4mo`, `3y`; rounded down. For a time ahead of the clock: `in 5min`. */
export function formatAge(atMs: number, nowMs: number): string {
  const ageMs = Math.abs(nowMs - atMs)
  if (ageMs < 5 * SECOND_MS) return 'now'
  const step = AGES.find(({ belowMs }) => ageMs < belowMs)
  const text = step
    ? `${Math.floor(ageMs / step.unitMs)}${step.unit}`
    : `${Math.floor(ageMs / (365.25 * DAY_MS))}y`
  return atMs > nowMs ? `in ${text}` : text
}

/** `5min ago`; `now` stays as it is. */
export function formatAgo(atMs: number, nowMs: number): string {
  const age = formatAge(atMs, nowMs)
  return age === 'now' || age.startsWith('in ') ? age : `${age} ago`
}

/** `2026-03-01 14:05:09 UTC`, or in the browser's own zone with its offset: `2026-03-01 15:05:09 +01:00`. */
export function formatExactTime(atMs: number, zone: Zone): string {
  const parts = partsOf(atMs, zone)
  if (!parts) return 'unknown time'
  return `${parts.date} ${parts.time} ${zone === 'utc' ? 'UTC' : offsetText(atMs)}`
}

/** `14:05:09.123`, for lists within one event. */
export function formatClock(atMs: number, zone: Zone): string {
  const parts = partsOf(atMs, zone)
  if (!parts) return '–'
  return `${parts.time}.${String(Math.abs(Math.floor(atMs)) % 1_000).padStart(3, '0')}`
}

/** `+1.2s` or `−300ms` from one moment to another. */
export function formatOffset(atMs: number, fromMs: number): string {
  const deltaMs = atMs - fromMs
  const sign = deltaMs < 0 ? '−' : '+'
  const sizeMs = Math.abs(deltaMs)
  if (sizeMs < SECOND_MS) return `${sign}${Math.round(sizeMs)}ms`
  if (sizeMs < MINUTE_MS) return `${sign}${(sizeMs / SECOND_MS).toFixed(1)}s`
  return `${sign}${formatAge(0, sizeMs)}`
}

function partsOf(atMs: number, zone: Zone): { date: string; time: string } | undefined {
  const shiftMs = zone === 'utc' ? 0 : minutesAhead(atMs) * MINUTE_MS
  const shifted = new Date(atMs + shiftMs)
  if (Number.isNaN(shifted.getTime())) return undefined
  const iso = shifted.toISOString()
  const cut = iso.indexOf('T')
  return { date: iso.slice(0, cut), time: iso.slice(cut + 1, cut + 9) }
}

function offsetText(atMs: number): string {
  const minutes = minutesAhead(atMs)
  if (minutes === 0) return 'UTC'
  const size = Math.abs(minutes)
  return `${minutes < 0 ? '−' : '+'}${two(Math.floor(size / 60))}:${two(size % 60)}`
}

const two = (value: number): string => String(value).padStart(2, '0')

/** Lengths of time as short as they can be read exactly enough: `0.4 ms`, `320 ms`, `2.5 s`, `3 min 20 s`. */
export function formatDuration(ms: number): string {
  if (ms < 0.95) return ms <= 0 ? '0 ms' : `${ms.toFixed(1)} ms`
  if (ms < 999.5) return `${ms < 9.95 ? trimmed(ms.toFixed(1)) : Math.round(ms)} ms`
  if (ms < 59_950) return `${trimmed((ms / 1000).toFixed(ms < 9_950 ? 2 : 1))} s`
  const seconds = Math.round(ms / 1000)
  if (seconds < 3600) return `${Math.floor(seconds / 60)} min ${seconds % 60} s`
  return `${Math.floor(seconds / 3600)} h ${Math.floor((seconds % 3600) / 60)} min`
}

/** CLS has no unit; three digits decide between good and poor. */
export const formatShift = (value: number): string => trimmed(value.toFixed(3)) || '0'

const trimmed = (text: string): string => text.replace(/\.?0+$/, '')

/** Use is noted by the day, so it is told by the day. Undefined: never. */
export function daysAgo(atMs: number | undefined, nowMs: number): string {
  if (atMs === undefined) return 'never'
  const days = Math.floor(nowMs / DAY_MS) - Math.floor(atMs / DAY_MS)
  if (days <= 0) return 'today'
  return days === 1 ? 'yesterday' : `${days} days ago`
}
