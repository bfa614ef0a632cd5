/** The issues that events of hydration went to. */
import type { Grant } from '@sonde/access'
import type { QueryDeps } from '../query-deps.ts'

export type RankedIssue = { readonly id: number; readonly shortId: string }

/** By the id of the event; what is no id, or is not stored, is left out. One range of `event_index`, then one of the records. */
export async function issuesOfEvents(
  { records, telemetry }: Pick<QueryDeps, 'records' | 'telemetry'>,
  grant: Grant<'event:read', 'project'>,
  eventIds: readonly string[],
): Promise<ReadonlyMap<string, RankedIssue>> {
  const events = [...new Set(eventIds)].filter((id) => /^[0-9a-f]{32}$/.test(id))
  if (events.length === 0) return new Map()
  const rows = await telemetry.query<{ eventId: string; issueId: number }>(
    `SELECT toString(event_id) AS eventId, issue_id AS issueId FROM event_index
     WHERE project_id = {project:UInt32} AND event_id IN {events:Array(String)}`,
    { project: grant.projectId, events },
  )
  const issues = await rankedIssues(
    { records },
    grant,
    rows.map(({ issueId }) => issueId),
  )
  return new Map(
    rows.flatMap(({ eventId, issueId }) => {
      const issue = issues.get(issueId)
      return issue === undefined ? [] : [[eventId, issue] as const]
    }),
  )
}

/** Of the project alone. */
export async function rankedIssues(
  { records }: Pick<QueryDeps, 'records'>,
  { projectId, projectSlug }: Grant<'event:read', 'project'>,
  ids: readonly number[],
): Promise<ReadonlyMap<number, RankedIssue>> {
  if (ids.length === 0) return new Map()
  const rows = await records
    .selectFrom('issue')
    .select(['id', 'short_number'])
    .where('project_id', '=', projectId)
    .where('id', 'in', [...new Set(ids)])
    .execute()
  return new Map(
    rows.map(({ id, short_number: number }) => [
      id,
      { id, shortId: `${projectSlug.toUpperCase()}-${number}` },
    ]),
  )
}
