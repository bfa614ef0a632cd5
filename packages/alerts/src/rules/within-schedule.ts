import type { Schedule } from './rule.ts'

const DAYS = ['Sun', 'Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat']

/** By the clock of the schedule's own place, whatever the machine's is. No schedule: always. */
export function isWithin(schedule: Schedule | undefined, atMs: number): boolean {
  if (schedule === undefined) return true
  const { timeZone, days, fromMinute, toMinute } = schedule
  const parts = new Intl.DateTimeFormat('en-US', {
    timeZone,
    weekday: 'short',
    hour: '2-digit',
    minute: '2-digit',
    hourCycle: 'h23',
  }).formatToParts(atMs)
  const part = (type: string): string => parts.find((each) => each.type === type)?.value ?? ''
  const day = DAYS.indexOf(part('weekday'))
  const minute = Number(part('hour')) * 60 + Number(part('minute'))
  if (fromMinute < toMinute) return days.includes(day) && minute >= fromMinute && minute < toMinute
  // Over midnight: the hours after it are of the day before.
  return (days.includes(day) && minute >= fromMinute) || (days.includes((day + 6) % 7) && minute < toMinute)
}
