/**
 * The zone in which times are told in the browser: the one that the person chose, otherwise the browser's own. On the server
 * everything is told in UTC, so nothing of it lives there.
 */
let chosen: Intl.DateTimeFormat | undefined
let chosenName = ''

/** IANA name; empty: the browser's own. One that the browser does not know is as none. */
export function setPersonZone(timeZone: string): void {
  if (timeZone === chosenName) return
  chosenName = timeZone
  chosen = timeZone === '' ? undefined : formatOf(timeZone)
}

function formatOf(timeZone: string): Intl.DateTimeFormat | undefined {
  const two = '2-digit'
  const parts = { year: 'numeric', month: two, day: two, hour: two, minute: two, second: two } as const
  try {
    return new Intl.DateTimeFormat('en-US', { ...parts, timeZone, hourCycle: 'h23' })
  } catch {
    return undefined
  }
}

/** For fields that say by which clock they are read. Only in a browser. */
export const personZoneName = (): string =>
  chosen ? chosenName : new Intl.DateTimeFormat().resolvedOptions().timeZone

/**
 * `2026-11-03T10:00` by the clock of that zone → Unix milliseconds. Undefined: no time, or no zone. Also on the server, which is
 * told the zone with the time.
 */
export function zonedTime(text: string, timeZone: string): number | undefined {
  if (!/^\d{4}-\d\d-\d\dT\d\d:\d\d/.test(text)) return undefined
  const format = formatOf(timeZone)
  const written = Date.parse(`${text}Z`)
  if (!format || Number.isNaN(written)) return undefined
  // What is ahead there may change in between: the second look is at the moment that was meant.
  const near = written - aheadBy(format, written) * 60_000
  return written - aheadBy(format, near) * 60_000
}

/** How far the clock there is ahead of UTC at that moment. */
export function minutesAhead(atMs: number): number {
  if (!chosen || !Number.isFinite(atMs)) return -new Date(atMs).getTimezoneOffset()
  return aheadBy(chosen, atMs)
}

function aheadBy(format: Intl.DateTimeFormat, atMs: number): number {
  const parts = new Map<string, number>(
    format.formatToParts(atMs).map(({ type, value }) => [type, Number(value)]),
  )
  const part = (type: string): number => parts.get(type) ?? 0
  const there = Date.UTC(
    part('year'),
    part('month') - 1,
    part('day'),
    part('hour'),
    part('minute'),
    part('second'),
  )
  return Math.round((there - Math.floor(atMs / 1000) * 1000) / 60_000)
}
