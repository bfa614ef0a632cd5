import type { ProjectScope } from '@sonde/stores'
import type { QueryDeps } from './query-deps.ts'

export type ProjectOverview = {
  readonly firstEventMs: number | undefined
  readonly issues: { readonly unresolved: number; readonly resolved: number; readonly ignored: number }
  /** Created within the last 24 hours. */
  readonly newIssues24h: number
  readonly events24h: number
  readonly users24h: number
  /** Unix milliseconds; undefined when nothing arrived within 24 hours. */
  readonly lastEventMs: number | undefined
}

const DAY_MS = 86_400_000

/** The numbers on a project's card. One count per status along `issue_by_status`, one scan of a day's narrow columns. */
export async function projectOverview(
  { records, telemetry, clock }: Pick<QueryDeps, 'records' | 'telemetry' | 'clock'>,
  scope: ProjectScope,
): Promise<ProjectOverview> {
  const sinceMs = clock.nowMs() - DAY_MS
  const [project, statuses, fresh, [day]] = await Promise.all([
    records
      .selectFrom('project')
      .select('first_event_ms')
      .where('id', '=', scope.projectId)
      .executeTakeFirst(),
    records
      .selectFrom('issue')
      .select(['status', ({ fn }) => fn.countAll<number>().as('n')])
      .where('project_id', '=', scope.projectId)
      .groupBy('status')
      .execute(),
    records
      .selectFrom('issue')
      .select(({ fn }) => fn.countAll<number>().as('n'))
      .where('project_id', '=', scope.projectId)
      .where('last_seen_ms', '>=', sinceMs)
      .where('first_seen_ms', '>=', sinceMs)
      .executeTakeFirst(),
    telemetry.query<{ events: number; users: number; lastMs: number }>(
      `SELECT count() AS events, uniqIf(user_key, user_key != '') AS users,
         toUnixTimestamp64Milli(max(timestamp)) AS lastMs
       FROM events WHERE project_id = {project:UInt32} AND timestamp >= {since:DateTime64(3)}`,
      { project: scope.projectId, since: sinceMs },
    ),
  ])
  const count = (status: string): number => statuses.find((row) => row.status === status)?.n ?? 0
  return {
    firstEventMs: project?.first_event_ms ?? undefined,
    issues: { unresolved: count('unresolved'), resolved: count('resolved'), ignored: count('ignored') },
    newIssues24h: fresh?.n ?? 0,
    events24h: day?.events ?? 0,
    users24h: day?.users ?? 0,
    lastEventMs: day && day.events > 0 ? day.lastMs : undefined,
  }
}
