/** The events of an issue (`…/issues/{id}/events/`) or of a project (`…/projects/{org}/{project}/events/`). */
import type { Grant } from '@sonde/access'
import { FIRST_PAGE, offsetOf, offsetPage, type Page, pageLimit, parseCursor } from '../cursor.ts'
import type { IssueRow } from '../issues/issue-row.ts'
import type { QueryDeps } from '../query-deps.ts'
import { SearchError } from '../search/search-term.ts'
import { type EventNarrowing, narrowingCondition } from './narrowed-event.ts'

/** An event as lists show it: columns only, never the payload. */
export type EventRow = {
  /** 32 lower hex. */
  readonly eventId: string
  readonly projectId: number
  readonly issueId: number
  readonly timestampMs: number
  readonly receivedMs: number
  readonly type: string
  readonly level: string
  readonly platform: string
  readonly title: string
  readonly culprit: string
  readonly message: string
  readonly release: string
  readonly environment: string
  readonly transaction: string
  readonly url: string
  /** `id:42`, `email:…`, `username:…` or `ip:…`; empty when nobody is known. */
  readonly userKey: string
  readonly tags: Readonly<Record<string, string>>
}

/** Selects the columns of an `EventRow` under its names, so that a result needs no mapping. */
const EVENT_ROW_COLUMNS = `toString(event_id) AS eventId, project_id AS projectId, issue_id AS issueId,
  toUnixTimestamp64Milli(timestamp) AS timestampMs, toUnixTimestamp64Milli(received) AS receivedMs, type, level,
  platform, title, culprit, message, release, environment, transaction, url, user_key AS userKey, tags`

/** `query`: conditions on events only, `release:1.2 browser.name:Firefox`; text is looked for in the title. */
export type ListEventsInput = EventNarrowing & {
  readonly limit?: number | undefined
  readonly cursor?: string | undefined
}

/**
 * Newest first, at most 100 rows a page. Reads one issue's range of `events` (ordering key project, issue, timestamp).
 * `issue` comes from `findIssue` or `issueDetail`, which looked it up within a grant. Throws `SearchError`.
 */
export const issueEvents = (
  deps: Pick<QueryDeps, 'telemetry'>,
  issue: Pick<IssueRow, 'id' | 'project'>,
  input: ListEventsInput = {},
): Promise<Page<EventRow>> =>
  list(deps, input, 'project_id = {project:UInt32} AND issue_id = {issue:UInt64}', {
    project: issue.project.id,
    issue: issue.id,
  })

/** The same for all events of a project: a scan of its rows' narrow columns, so for tools rather than screens. */
export const projectEvents = (
  deps: Pick<QueryDeps, 'telemetry'>,
  grant: Grant<'event:read', 'project'>,
  input: ListEventsInput = {},
): Promise<Page<EventRow>> => list(deps, input, 'project_id = {project:UInt32}', { project: grant.projectId })

async function list(
  { telemetry }: Pick<QueryDeps, 'telemetry'>,
  input: ListEventsInput,
  range: string,
  params: Readonly<Record<string, unknown>>,
): Promise<Page<EventRow>> {
  const cursor = input.cursor === undefined ? FIRST_PAGE : parseCursor(input.cursor)
  if (!cursor) throw new SearchError(`"${input.cursor}" is not a cursor`, 0)
  const limit = pageLimit(input.limit)
  const condition = narrowingCondition(input)
  const rows = await telemetry.query<EventRow>(
    `SELECT ${EVENT_ROW_COLUMNS} FROM events
     WHERE ${range} AND ${condition.sql}
     ORDER BY timestamp DESC, event_id LIMIT {limit:UInt32} OFFSET {offset:UInt32}`,
    { ...condition.params, ...params, limit: limit + 1, offset: Math.min(offsetOf(cursor), 1_000_000) },
  )
  return offsetPage(rows, cursor, limit)
}
