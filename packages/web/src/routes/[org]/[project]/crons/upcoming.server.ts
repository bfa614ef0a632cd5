/** The next runs of a schedule, as pages show them. */
import { type Scheduled, upcomingRuns } from '@sonde/alerts'

const COUNT = 5

export type UpcomingRun = {
  readonly atMs: number
  /** By the clocks of the schedule's zone: `Wed 2026-11-25 02:00`. */
  readonly there: string
}

export function upcoming(scheduled: Scheduled, afterMs: number): readonly UpcomingRun[] {
  const format = new Intl.DateTimeFormat('en-GB', {
    timeZone: scheduled.timezone,
    weekday: 'short',
    year: 'numeric',
    month: '2-digit',
    day: '2-digit',
    hour: '2-digit',
    minute: '2-digit',
    hourCycle: 'h23',
  })
  return upcomingRuns(scheduled, afterMs, COUNT).map((atMs) => {
    const parts = new Map(format.formatToParts(atMs).map(({ type, value }) => [type, value]))
    const part = (type: Intl.DateTimeFormatPartTypes): string => parts.get(type) ?? ''
    const there = `${part('weekday')} ${part('year')}-${part('month')}-${part('day')} ${part('hour')}:${part('minute')}`
    return { atMs, there }
  })
}
