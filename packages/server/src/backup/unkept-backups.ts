/** Which backups no rule of the plan keeps. Pure. */
import type { BackupPlan } from '@sonde/commands'
import type { BackupSummary } from './manifest.ts'
import { keptBy } from './prune-backups.ts'

type Rule = Pick<BackupPlan, 'keepLast' | 'keepDaily' | 'keepWeekly' | 'keepMonthly' | 'zone'>

export const keepsAll = ({ keepLast, keepDaily, keepWeekly, keepMonthly }: Rule): boolean =>
  keepLast + keepDaily + keepWeekly + keepMonthly === 0

/** Ids; days, weeks and months are those of the plan's zone. The newest is always kept. */
export function unkeptBackups(rule: Rule, summaries: readonly BackupSummary[]): readonly string[] {
  if (keepsAll(rule)) return []
  const { keepLast: last, keepDaily: daily, keepWeekly: weekly, keepMonthly: monthly, zone } = rule
  const wallMs = wallClock(zone)
  const byClock = summaries.map((each) => ({ ...each, createdMs: wallMs(each.createdMs) }))
  // In the hour that clocks repeat, only the real time says which is the newest.
  const kept = keptBy({ last }, summaries).union(keptBy({ daily, weekly, monthly }, byClock))
  return summaries.map(({ id }) => id).filter((id) => !kept.has(id))
}

/** What the clocks of the zone show, to the second, as if it were UTC. */
function wallClock(timeZone: string): (atMs: number) => number {
  // Swedish dates are written as in ISO 8601.
  const format = new Intl.DateTimeFormat('sv-SE', { timeZone, dateStyle: 'short', timeStyle: 'medium' })
  return (atMs) => Date.parse(`${format.format(atMs).replace(' ', 'T')}Z`)
}
