import type { Grant } from '@sonde/access'
import type { QueryDeps } from './query-deps.ts'
import { projectIdsOf } from './project-ids.ts'

export type ProjectOverview = {
  /** Created within the last 24 hours. */
  readonly newIssues24h: number
  readonly events24h: number
  readonly users24h: number
  /** Unix milliseconds; undefined when nothing arrived within 24 hours. */
  readonly lastEventMs: number | undefined
}

const DAY_MS = 86_400_000
const NOTHING: ProjectOverview = { newIssues24h: 0, events24h: 0, users24h: 0, lastEventMs: undefined }

/** The numbers on every project's card, by project id: one range of `issue_by_last_seen` each, one scan of a day's narrow columns. */
export async function projectOverviews(
  deps: Pick<QueryDeps, 'records' | 'telemetry' | 'clock'>,
  grant: Grant<'event:read' | 'project:read', 'org' | 'project'>,
): Promise<(projectId: number) => ProjectOverview> {
  const projects = await projectIdsOf(deps, grant)
  if (projects.length === 0) return () => NOTHING
  const sinceMs = deps.clock.nowMs() - DAY_MS
  const [fresh, days] = await Promise.all([
    deps.records
      .selectFrom('issue')
      .select(['project_id', ({ fn }) => fn.countAll<number>().as('n')])
      .where('project_id', 'in', projects)
      .where('last_seen_ms', '>=', sinceMs)
      .where('first_seen_ms', '>=', sinceMs)
      .groupBy('project_id')
      .execute(),
    deps.telemetry.query<{ project: number; events: number; users: number; lastMs: number }>(
      `SELECT project_id AS project, count() AS events, uniqIf(user_key, user_key != '') AS users,
         toUnixTimestamp64Milli(max(timestamp)) AS lastMs
       FROM events WHERE project_id IN {projects:Array(UInt32)} AND timestamp >= {since:DateTime64(3)}
       GROUP BY project`,
      { projects, since: sinceMs },
    ),
  ])
  const newIssues = new Map(fresh.map((row) => [row.project_id, row.n]))
  const dayOf = new Map(days.map((day) => [day.project, day]))
  return (projectId) => {
    const day = dayOf.get(projectId)
    return {
      newIssues24h: newIssues.get(projectId) ?? 0,
      events24h: day?.events ?? 0,
      users24h: day?.users ?? 0,
      lastEventMs: day?.lastMs,
    }
  }
}
