/** A schedule in plain words: `Every day at 02:00, Europe/Berlin`. On the server: the library would be loaded with each page. */
import cronstrue from 'cronstrue'
import type { Scheduled } from './schedule.ts'

/** A crontab that only the scheduler can read is its own words. */
export function scheduleWords({ schedule, timezone }: Scheduled): string {
  if (schedule.type === 'crontab') return `${crontabWords(schedule.value)}, ${timezone}`
  const { value, unit } = schedule
  const words = value === 1 ? `Every ${unit}` : `Every ${value} ${unit}s`
  // What has no time of day has no zone either.
  return unit === 'minute' || unit === 'hour' ? words : `${words}, ${timezone}`
}

function crontabWords(value: string): string {
  try {
    const words = cronstrue.toString(value.toLowerCase(), { use24HourTimeFormat: true })
    return words.replace(/^At (\d\d:\d\d(?:(?:,| and) \d\d:\d\d)*)$/, 'Every day at $1')
  } catch {
    return value
  }
}
