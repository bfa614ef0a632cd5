/**
 * What people wrote about the events of one issue. Feedback names an event, and which issue has that is looked up when it
 * is asked for: so it does not matter which of the two came first, and whether issues were merged since.
 */
import type { Grant } from '@sonde/access'
import { sql, type SqlBool } from 'kysely'
import type { IssueRow } from '../issues/issue-row.ts'
import type { QueryDeps } from '../query-deps.ts'

export type UserReport = {
  /** Of the feedback itself. */
  readonly issueId: number
  readonly name: string
  readonly email: string
  readonly message: string
  /** 32 lower hex: the event that it is about. */
  readonly eventId: string
  readonly receivedMs: number
}

/** Of the project's newest feedback so much is looked through. */
const MAX_FEEDBACK = 1_000

/** The newest first. Spam is left out. One walk along `issue_feedback` and one range of `event_index` for each event named. */
export async function userReports(
  { records, telemetry }: Pick<QueryDeps, 'records' | 'telemetry'>,
  grant: Grant<'event:read', 'project'>,
  issue: Pick<IssueRow, 'id' | 'type'>,
): Promise<readonly UserReport[]> {
  if (issue.type === 'feedback') return []
  const rows = await records
    .selectFrom('issue')
    .select(['id', 'metadata', 'created_ms'])
    .where('project_id', '=', grant.projectId)
    // As a literal: it is the condition of the index.
    .where(sql<SqlBool>`type = 'feedback'`)
    .where('status', '<>', 'ignored')
    .where('metadata', 'like', '%"associated_event_id"%')
    .orderBy('last_seen_ms', 'desc')
    .limit(MAX_FEEDBACK)
    .execute()
  const all = rows.map(reportOf)
  const events = [...new Set(all.map(({ eventId }) => eventId))].filter((id) => /^[0-9a-f]{32}$/.test(id))
  if (events.length === 0) return []
  const found = await telemetry.query<{ eventId: string }>(
    `SELECT toString(event_id) AS eventId FROM event_index
     WHERE project_id = {project:UInt32} AND event_id IN {events:Array(String)} AND issue_id = {issue:UInt64}`,
    { project: grant.projectId, events, issue: issue.id },
  )
  const own = new Set(found.map(({ eventId }) => eventId))
  return all.filter(({ eventId }) => own.has(eventId))
}

/** Of a project, the newest first: what came as a `user_report` and is no spam. One walk along `issue_feedback`. */
export async function listUserReports(
  { records }: Pick<QueryDeps, 'records'>,
  grant: Grant<'event:read', 'project'>,
): Promise<readonly UserReport[]> {
  const rows = await records
    .selectFrom('issue')
    .select(['id', 'metadata', 'created_ms'])
    .where('project_id', '=', grant.projectId)
    .where(sql<SqlBool>`type = 'feedback'`)
    .where('status', '<>', 'ignored')
    .where('metadata', 'like', '%"source":"user_report"%')
    .orderBy('last_seen_ms', 'desc')
    .limit(MAX_FEEDBACK)
    .execute()
  return rows.map(reportOf)
}

type Row = { readonly id: number; readonly metadata: string; readonly created_ms: number }

function reportOf({ id, metadata, created_ms: receivedMs }: Row): UserReport {
  const said = JSON.parse(metadata) as Readonly<Record<string, string>>
  return {
    issueId: id,
    name: said['name'] ?? '',
    email: said['contact_email'] ?? '',
    message: said['message'] ?? '',
    eventId: (said['associated_event_id'] ?? '').replaceAll('-', '').toLowerCase(),
    receivedMs,
  }
}
