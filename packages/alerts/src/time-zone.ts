/** Which time of day it is somewhere, by the names of IANA: `Europe/Berlin`. */
import { createBoundedMap } from '@sonde/base'

export function isTimeZone(text: string): boolean {
  try {
    new Intl.DateTimeFormat('en', { timeZone: text }).format(0)
    return true
  } catch {
    return false
  }
}

// Making one takes longer than all that is asked of it. There are about 400 zones, with aliases.
const formats = createBoundedMap<string, Intl.DateTimeFormat>(600)

/** Minutes since midnight. Throws for what is not a zone. */
export function minuteOfDay(timeZone: string, atMs: number): number {
  const format =
    formats.get(timeZone) ??
    new Intl.DateTimeFormat('en-US', { timeZone, hour: '2-digit', minute: '2-digit', hourCycle: 'h23' })
  formats.set(timeZone, format)
  const parts = format.formatToParts(atMs)
  const part = (type: string): number => Number(parts.find((each) => each.type === type)?.value ?? 0)
  return part('hour') * 60 + part('minute')
}
