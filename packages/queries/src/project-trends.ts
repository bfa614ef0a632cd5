/** The little chart and the release of every project's card, in two reads for all of them. */
import type { Grant } from '@sonde/access'
import type { QueryDeps } from './query-deps.ts'
import { projectIdsOf } from './project-ids.ts'

export type ProjectTrend = {
  /** Errors (level `error` and `fatal`) of the last 24 hours. */
  readonly errors24h: number
  /** Events per hour, 24 of them; the last is the hour until now. */
  readonly hours: readonly number[]
  /** The release that began last, by its first event of the last 30 days; undefined when none was named. */
  readonly release: { readonly name: string; readonly firstSeenMs: number } | undefined
}

const HOUR_MS = 3_600_000
const HOURS = 24
const RELEASES_WITHIN_MS = 30 * 24 * HOUR_MS

/** By project id. Reads narrow columns: a day of them for the bars, a month of them for the releases. */
export async function projectTrends(
  deps: Pick<QueryDeps, 'records' | 'telemetry' | 'clock'>,
  grant: Grant<'event:read' | 'project:read', 'org' | 'project'>,
): Promise<(projectId: number) => ProjectTrend> {
  const nowMs = deps.clock.nowMs()
  const projects = await projectIdsOf(deps, grant)
  const fromMs = nowMs - HOURS * HOUR_MS
  const [bars, releases] = await Promise.all([
    projects.length === 0 ? [] : hourBars(deps, projects, fromMs),
    projects.length === 0 ? [] : newestReleases(deps, projects, nowMs),
  ])
  return (projectId) => {
    const hours = Array.from({ length: HOURS }, () => 0)
    let errors24h = 0
    for (const bar of bars) {
      if (bar.project !== projectId) continue
      // What a clock that is ahead has sent belongs to the last hour.
      const hour = Math.min(HOURS - 1, Math.max(0, bar.hour))
      hours[hour] = (hours[hour] ?? 0) + bar.events
      errors24h += bar.errors
    }
    const newest = releases.find(({ project }) => project === projectId)
    return {
      errors24h,
      hours,
      release: newest && { name: newest.release, firstSeenMs: newest.firstSeenMs },
    }
  }
}

const hourBars = ({ telemetry }: Pick<QueryDeps, 'telemetry'>, projects: readonly number[], fromMs: number) =>
  telemetry.query<{ project: number; hour: number; events: number; errors: number }>(
    `SELECT project_id AS project, intDiv(toUnixTimestamp64Milli(timestamp) - {from:Int64}, ${HOUR_MS}) AS hour,
       count() AS events, countIf(level IN ('error', 'fatal')) AS errors
     FROM events WHERE project_id IN {projects:Array(UInt32)} AND timestamp >= {since:DateTime64(3)}
     GROUP BY project, hour`,
    { projects, from: fromMs, since: fromMs },
  )

const newestReleases = (
  { telemetry }: Pick<QueryDeps, 'telemetry'>,
  projects: readonly number[],
  nowMs: number,
) =>
  telemetry.query<{ project: number; release: string; firstSeenMs: number }>(
    `SELECT project, argMax(release, first) AS release, toUnixTimestamp64Milli(max(first)) AS firstSeenMs
     FROM (
       SELECT project_id AS project, release, min(timestamp) AS first FROM events
       WHERE project_id IN {projects:Array(UInt32)} AND release != '' AND timestamp >= {since:DateTime64(3)}
       GROUP BY project, release
     ) GROUP BY project`,
    { projects, since: nowMs - RELEASES_WITHIN_MS },
  )
