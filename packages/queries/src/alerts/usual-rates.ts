/** How much of each project usually comes at this time of the week, from the counts that are kept anyway. */
import type { QueryDeps } from '../query-deps.ts'

/** Events that were stored, or counted while a spike was sampled. */
export type HourCount = {
  readonly events: number
  /** Within the busiest minute. */
  readonly busiest: number
}

export type UsualHours = {
  /** This hour of the week and the two beside it, in the last four weeks; those from before the project's first event are missing. */
  readonly ofWeek: readonly HourCount[]
  /** The last twenty-four whole hours. */
  readonly ofDay: readonly HourCount[]
}

const HOUR_MS = 3_600_000
const HOURS_OF_WEEK = 7 * 24
const WEEKS = 4
const NOTHING: HourCount = { events: 0, busiest: 0 }
/** Names of categories that are events of issues: `spike_baseline.category` is `event` for all of them. */
const EVENT_CATEGORIES = ['error', 'default', 'security'] as const

/** `projects`: at most some hundreds, with the time of their first event. Reads 36 hours of each, by project and minute. */
export async function usualHours(
  { telemetry }: Pick<QueryDeps, 'telemetry'>,
  projects: readonly { readonly id: number; readonly firstEventMs: number }[],
  nowMs: number,
): Promise<ReadonlyMap<number, UsualHours>> {
  if (projects.length === 0) return new Map()
  const now = Math.floor(nowMs / HOUR_MS)
  const weekly = Array.from({ length: WEEKS }, (_, at) => now - (at + 1) * HOURS_OF_WEEK).flatMap((hour) => [
    hour - 1,
    hour,
    hour + 1,
  ])
  const daily = Array.from({ length: 24 }, (_, at) => now - 1 - at)
  const hours = [...new Set([...weekly, ...daily])]
  const rows = await telemetry.query<HourCount & { readonly project: number; readonly hour: number }>(
    `SELECT project, hour, sum(n) AS events, max(n) AS busiest FROM (
       SELECT project_id AS project, toUInt32(intDiv(toUnixTimestamp(minute), 3600)) AS hour, sum(quantity) AS n
       FROM outcomes
       WHERE project_id IN {projects:Array(UInt32)} AND minute >= {since:DateTime} AND minute < {until:DateTime}
         AND category IN {categories:Array(String)} AND (outcome = 'accepted' OR reason = 'spike')
         AND toUInt32(intDiv(toUnixTimestamp(minute), 3600)) IN {hours:Array(UInt32)}
       GROUP BY project, hour, minute
     ) GROUP BY project, hour`,
    {
      projects: projects.map(({ id }) => id),
      since: Math.min(...hours) * 3_600,
      until: now * 3_600,
      categories: EVENT_CATEGORIES,
      hours,
    },
  )
  const known = new Map(rows.map((row) => [`${row.project} ${row.hour}`, row]))
  return new Map(
    projects.map(({ id, firstEventMs }) => {
      const countOf = (hour: number): HourCount => known.get(`${id} ${hour}`) ?? NOTHING
      const isCounted = (hour: number): boolean => hour * HOUR_MS >= firstEventMs
      return [id, { ofWeek: weekly.filter(isCounted).map(countOf), ofDay: daily.map(countOf) }]
    }),
  )
}
