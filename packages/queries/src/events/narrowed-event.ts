/** One event of an issue among those that a search, environments or a time leave: "the latest one on Safari". */
import type { IssueRow } from '../issues/issue-row.ts'
import type { QueryDeps } from '../query-deps.ts'
import { type EventFilter, eventSearch } from '../search/event-search.ts'
import type { EventChoice } from './event-by-id.ts'

export type EventNarrowing = EventFilter & {
  /** Unix milliseconds, inclusive. */
  readonly fromMs?: number | undefined
  /** Unix milliseconds, exclusive. */
  readonly toMs?: number | undefined
}

/** `sql` stands behind AND; its parameters begin with `s`, `from` and `to`. Throws `SearchError`. */
export function narrowingCondition({ fromMs, toMs, ...filter }: EventNarrowing) {
  const { sql, params } = eventSearch(filter)
  return {
    sql: [
      sql,
      ...(fromMs === undefined ? [] : ['timestamp >= {from:DateTime64(3)}']),
      ...(toMs === undefined ? [] : ['timestamp < {to:DateTime64(3)}']),
    ].join(' AND '),
    params: {
      ...params,
      ...(fromMs === undefined ? {} : { from: fromMs }),
      ...(toMs === undefined ? {} : { to: toMs }),
    },
  }
}

/**
 * Its id; undefined when none is left. As `issueEvent` chooses, from the newest 1,000 for `recommended`. Reads one
 * issue's range of `events` (ordering key project, issue, timestamp). `issue` comes from `findIssue` or `issueDetail`.
 */
export async function narrowedEventId(
  { telemetry }: Pick<QueryDeps, 'telemetry'>,
  issue: Pick<IssueRow, 'id' | 'project'>,
  choice: EventChoice,
  narrowing: EventNarrowing,
): Promise<string | undefined> {
  const { sql, params } = narrowingCondition(narrowing)
  const worth = `(exception_type != '') + (user_key != '') + (trace_id != '') + (length(tags) > 3)`
  const order = choice === 'oldest' ? 'timestamp, event_id' : 'timestamp DESC, event_id DESC'
  const [row] = await telemetry.query<{ id: string }>(
    `SELECT toString(event_id) AS id FROM (
       SELECT event_id, timestamp, ${choice === 'recommended' ? worth : '0'} AS worth FROM events
       WHERE project_id = {project:UInt32} AND issue_id = {issue:UInt64} AND ${sql}
       ORDER BY ${order} LIMIT ${choice === 'recommended' ? 1_000 : 1}
     )
     ORDER BY worth DESC, ${order} LIMIT 1`,
    { ...params, project: issue.project.id, issue: issue.id },
  )
  return row?.id
}

/** The arrows among what is left. */
export async function narrowedNeighbours(
  { telemetry }: Pick<QueryDeps, 'telemetry'>,
  { projectId, issueId, eventId, timestampMs }: EventPlace,
  narrowing: EventNarrowing,
): Promise<EventNeighbours> {
  const { sql, params } = narrowingCondition(narrowing)
  const side = async (isOlder: boolean): Promise<string | undefined> => {
    const [compare, order] = isOlder ? ['<', 'DESC'] : ['>', '']
    const [row] = await telemetry.query<{ id: string }>(
      `SELECT toString(event_id) AS id FROM events
       WHERE project_id = {project:UInt32} AND issue_id = {issue:UInt64} AND timestamp ${compare}= {at:DateTime64(3)}
         AND (timestamp ${compare} {at:DateTime64(3)} OR toString(event_id) ${compare} {event:String}) AND ${sql}
       ORDER BY timestamp ${order}, event_id ${order} LIMIT 1`,
      { ...params, project: projectId, issue: issueId, at: timestampMs, event: eventId },
    )
    return row?.id
  }
  const [previousId, nextId] = await Promise.all([side(true), side(false)])
  return { previousId, nextId }
}

// The arrows on the issue screen.

/** Event ids within the same issue; undefined at the ends. */
export type EventNeighbours = {
  /** The next older one. */
  readonly previousId: string | undefined
  /** The next newer one. */
  readonly nextId: string | undefined
}

type EventPlace = {
  readonly projectId: number
  readonly issueId: number
  readonly eventId: string
  readonly timestampMs: number
}

/** Reads one issue's range of `events` around a time (ordering key project, issue, timestamp); ids break ties. */
export async function eventNeighbours(
  { telemetry }: Pick<QueryDeps, 'telemetry'>,
  { projectId, issueId, eventId, timestampMs }: EventPlace,
): Promise<EventNeighbours> {
  const side = async (isOlder: boolean): Promise<string | undefined> => {
    const [compare, order] = isOlder ? ['<', 'DESC'] : ['>', '']
    const [row] = await telemetry.query<{ id: string }>(
      `SELECT toString(event_id) AS id FROM events
       WHERE project_id = {project:UInt32} AND issue_id = {issue:UInt64} AND timestamp ${compare}= {at:DateTime64(3)}
         AND (timestamp ${compare} {at:DateTime64(3)} OR toString(event_id) ${compare} {event:String})
       ORDER BY timestamp ${order}, event_id ${order} LIMIT 1`,
      { project: projectId, issue: issueId, at: timestampMs, event: eventId },
    )
    return row?.id
  }
  const [previousId, nextId] = await Promise.all([side(true), side(false)])
  return { previousId, nextId }
}
