/** Times for people: how long ago in lists, the moment with its zone where one thing is shown. */

const UNITS: readonly (readonly [name: string, ms: number])[] = [
  ['d', 86_400_000],
  ['h', 3_600_000],
  ['min', 60_000],
  ['s', 1_000],
]

/** `5min ago`; `-` for what is no time. */
export function agoText(iso: string | null | undefined, nowMs: number = Date.now()): string {
  const ms = Date.parse(iso ?? '')
  if (Number.isNaN(ms)) return '-'
  const age = nowMs - ms
  const [name, unitMs] = UNITS.find(([, unit]) => Math.abs(age) >= unit) ?? ['', 0]
  if (unitMs === 0) return 'now'
  const count = `${Math.floor(Math.abs(age) / unitMs)}${name}`
  return age < 0 ? `in ${count}` : `${count} ago`
}

/** `2026-11-28 20:31:05 UTC (5min ago)`. */
export function momentText(iso: string | null | undefined, nowMs: number = Date.now()): string {
  const ms = Date.parse(iso ?? '')
  return Number.isNaN(ms) ? '-' : `${utcText(ms)} UTC (${agoText(iso, nowMs)})`
}

const utcText = (ms: number): string => new Date(ms).toISOString().slice(0, 19).replace('T', ' ')

const LENGTHS: Readonly<Record<string, number>> = { s: 1_000, m: 60_000, h: 3_600_000 }

/** Milliseconds of `30m`; undefined for what is none. */
export function lengthMs(text: string): number | undefined {
  const [, count = '', unit = ''] = /^(\d{1,6})([smh])$/.exec(text) ?? []
  const ms = Number(count) * (LENGTHS[unit] ?? Number.NaN)
  return Number.isNaN(ms) || count === '' ? undefined : ms
}
