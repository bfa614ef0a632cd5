/** Times on an axis and over a bar: as short as they can be without being ambiguous. English, 24 hours. */
import type { Zone } from '../format/format-time.ts'
import { minutesAhead } from '../format/person-zone.ts'

const MONTHS = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec']
const DAY_MS = 86_400_000
const MINUTE_MS = 60_000

type Parts = {
  readonly year: number
  readonly date: string
  readonly clock: string
  readonly second: string
  readonly isMidnight: boolean
}

function partsOf(atMs: number, zone: Zone): Parts {
  const at = new Date(zone === 'utc' ? atMs : atMs + minutesAhead(atMs) * MINUTE_MS)
  const two = (value: number): string => String(value).padStart(2, '0')
  const clock = `${two(at.getUTCHours())}:${two(at.getUTCMinutes())}`
  const second = two(at.getUTCSeconds())
  return {
    year: at.getUTCFullYear(),
    date: `${at.getUTCDate()} ${MONTHS[at.getUTCMonth()]}`,
    clock,
    second,
    isMidnight: clock === '00:00' && second === '00',
  }
}

/**
 * One text per tick. Between ticks of less than a day the clock is shown and midnight is its date; a year is named
 * where it changes.
 */
export function tickTexts(ticksMs: readonly number[], zone: Zone): string[] {
  const gapMs = Math.min(...ticksMs.slice(1).map((tick, index) => tick - (ticksMs[index] ?? 0)), DAY_MS)
  let year: number | undefined
  return ticksMs.map((tick) => {
    const parts = partsOf(tick, zone)
    const isOtherYear = year !== undefined && parts.year !== year
    year = parts.year
    if (gapMs < DAY_MS && !parts.isMidnight)
      return gapMs < MINUTE_MS ? `${parts.clock}:${parts.second}` : parts.clock
    return isOtherYear ? `${parts.date} ${parts.year}` : parts.date
  })
}

/** `14 Mar, 13:00–14:00`; a whole day `14 Mar`; days `9 Mar – 15 Mar`. */
export function spanText(fromMs: number, toMs: number, zone: Zone): string {
  const from = partsOf(fromMs, zone)
  const to = partsOf(toMs, zone)
  if (toMs - fromMs >= DAY_MS && from.isMidnight && to.isMidnight) {
    const last = partsOf(toMs - 1, zone)
    return last.date === from.date ? from.date : `${from.date} – ${last.date}`
  }
  const isShort = toMs - fromMs < MINUTE_MS
  const clock = ({ clock: text, second }: Parts): string => (isShort ? `${text}:${second}` : text)
  if (from.date === to.date || (to.isMidnight && toMs - fromMs <= DAY_MS)) {
    return `${from.date}, ${clock(from)}–${clock(to)}`
  }
  return `${from.date}, ${clock(from)} – ${to.date}, ${clock(to)}`
}
