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

/** How far the clock there is ahead of UTC at that moment. */
export function minutesAhead(atMs: number): number {
  if (!chosen || !Number.isFinite(atMs)) return -new Date(atMs).getTimezoneOffset()
  const parts = new Map<string, number>(
    chosen.formatToParts(atMs).map(({ type, value }) => [type, Number(value)]),
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
