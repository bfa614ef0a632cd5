/** Which of some events a search finds: for rules that are asked about events one by one. */
import type { QueryDeps } from '../query-deps.ts'
import { eventSearch } from '../search/event-search.ts'

/** Throws `SearchError` when `eventsThatMatch` could not read the search. */
export const checkEventSearch = (query: string): void => void eventSearch({ query })

export type NamedEvent = { readonly issueId: number; readonly eventId: string }

/**
 * Ids of those that match, all of one project. Without a grant: who calls works for the project itself and shows nobody an
 * event. Throws `SearchError`.
 */
export async function eventsThatMatch(
  { telemetry }: Pick<QueryDeps, 'telemetry'>,
  projectId: number,
  events: readonly NamedEvent[],
  query: string,
): Promise<ReadonlySet<string>> {
  const condition = eventSearch({ query })
  const rows = await telemetry.query<{ id: string }>(
    `SELECT DISTINCT toString(event_id) AS id FROM events
     WHERE project_id = {project:UInt32} AND issue_id IN {issues:Array(UInt64)}
       AND event_id IN {events:Array(FixedString(32))} AND ${condition.sql}`,
    {
      ...condition.params,
      project: projectId,
      issues: [...new Set(events.map(({ issueId }) => issueId))],
      events: events.map(({ eventId }) => eventId),
    },
  )
  return new Set(rows.map(({ id }) => id))
}

export type EventPlace = { readonly release: string; readonly environment: string }

/** Event → where it happened; of those that are stored, all of one project. Without a grant, as above. */
export async function eventPlaces(
  { telemetry }: Pick<QueryDeps, 'telemetry'>,
  projectId: number,
  events: readonly NamedEvent[],
): Promise<ReadonlyMap<string, EventPlace>> {
  if (events.length === 0) return new Map()
  const rows = await telemetry.query<EventPlace & { readonly id: string }>(
    `SELECT toString(event_id) AS id, any(release) AS release, any(environment) AS environment FROM events
     WHERE project_id = {project:UInt32} AND issue_id IN {issues:Array(UInt64)}
       AND event_id IN {events:Array(FixedString(32))} GROUP BY id`,
    {
      project: projectId,
      issues: [...new Set(events.map(({ issueId }) => issueId))],
      events: events.map(({ eventId }) => eventId),
    },
  )
  return new Map(rows.map(({ id, release, environment }) => [id, { release, environment }]))
}
