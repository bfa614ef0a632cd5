/** One whole event. */
import type { Grant } from '@sonde/access'
import type { NormalizedEvent } from '@sonde/protocol/event'
import type { IssueRow } from '../issues/issue-row.ts'
import { projectIdsOf, type QueryDeps } from '../query-deps.ts'
import { type EventNeighbours, eventNeighbours } from './narrowed-event.ts'

export type EventDetail = {
  readonly event: NormalizedEvent
  /** Those of the SDK and those that its fields imply (level, release, browser, …): what searches look at. */
  readonly tags: Readonly<Record<string, string>>
  readonly projectId: number
  readonly issueId: number
  readonly timestampMs: number
  readonly receivedMs: number
  /** Bytes of the stored JSON. */
  readonly sizeBytes: number
  readonly neighbours: EventNeighbours
}

const FORM = /^[0-9a-f]{32}$/

/**
 * By id within a project; undefined when it is not there (yet). Two reads along ordering keys: `event_index`
 * (project, event_id) names the issue and the time, `events` (project, issue, timestamp) has the payload.
 * Ids are taken with or without hyphens, in any case.
 */
export async function eventById(
  deps: Pick<QueryDeps, 'telemetry'>,
  grant: Pick<Grant<'event:read', 'project'>, 'projectId'>,
  eventId: string,
): Promise<EventDetail | undefined> {
  const id = eventId.replaceAll('-', '').toLowerCase()
  if (!FORM.test(id)) return undefined
  const [place] = await deps.telemetry.query<Place>(
    `SELECT issue_id AS issueId, toUnixTimestamp64Milli(timestamp) AS timestampMs FROM event_index
     WHERE project_id = {project:UInt32} AND event_id = {event:String} LIMIT 1`,
    { project: grant.projectId, event: id },
  )
  return place && readEvent(deps, grant.projectId, id, place)
}

type Place = { readonly issueId: number; readonly timestampMs: number }

async function readEvent(
  deps: Pick<QueryDeps, 'telemetry'>,
  projectId: number,
  eventId: string,
  place: Place,
): Promise<EventDetail | undefined> {
  const [[row], neighbours] = await Promise.all([
    deps.telemetry.query<{ payload: string; tags: Record<string, string>; receivedMs: number }>(
      `SELECT payload, tags, toUnixTimestamp64Milli(received) AS receivedMs FROM events
       WHERE project_id = {project:UInt32} AND issue_id = {issue:UInt64} AND timestamp = {at:DateTime64(3)}
         AND event_id = {event:String}
       LIMIT 1`,
      { project: projectId, issue: place.issueId, at: place.timestampMs, event: eventId },
    ),
    eventNeighbours(deps, { projectId, eventId, ...place }),
  ])
  if (!row) return undefined
  return {
    event: JSON.parse(row.payload) as NormalizedEvent,
    tags: row.tags,
    projectId,
    ...place,
    receivedMs: row.receivedMs,
    sizeBytes: Buffer.byteLength(row.payload),
    neighbours,
  }
}

export const EVENT_CHOICES = ['latest', 'oldest', 'recommended'] as const
export type EventChoice = (typeof EVENT_CHOICES)[number]

/**
 * One event of an issue by choice; undefined when retention has removed them all. `recommended` is the newest that
 * says most: with a stack of ours, a known user, a trace. Reads the narrow columns of one issue's range.
 * `issue` comes from `findIssue` or `issueDetail`.
 */
export async function issueEvent(
  deps: Pick<QueryDeps, 'telemetry'>,
  issue: Pick<IssueRow, 'id' | 'project'>,
  choice: EventChoice,
): Promise<EventDetail | undefined> {
  const order = {
    latest: 'timestamp DESC, event_id DESC',
    oldest: 'timestamp, event_id',
    recommended: `(exception_type != '') + (user_key != '') + (trace_id != '') + (length(tags) > 3) DESC, timestamp DESC`,
  }[choice]
  const [place] = await deps.telemetry.query<Place & { eventId: string }>(
    `SELECT toString(event_id) AS eventId, issue_id AS issueId, toUnixTimestamp64Milli(timestamp) AS timestampMs
     FROM (
       SELECT event_id, issue_id, timestamp FROM (
         SELECT event_id, issue_id, timestamp, exception_type, user_key, trace_id, tags FROM events
         WHERE project_id = {project:UInt32} AND issue_id = {issue:UInt64}
         ORDER BY timestamp ${choice === 'oldest' ? '' : 'DESC'} LIMIT 1000
       )
       ORDER BY ${order} LIMIT 1
     )`,
    { project: issue.project.id, issue: issue.id },
  )
  return place && readEvent(deps, issue.project.id, place.eventId, place)
}

// Which project of a grant an event is of.

/** By its id, with or without hyphens. One look-up in `event_index` for each project, in one read. */
export async function projectOfEvent(
  deps: Pick<QueryDeps, 'records' | 'telemetry'>,
  grant: Grant<'event:read', 'org' | 'project'>,
  eventId: string,
): Promise<number | undefined> {
  const event = eventId.replaceAll('-', '').toLowerCase()
  const projects = await projectIdsOf(deps, grant)
  if (!FORM.test(event) || projects.length === 0) return undefined
  const [row] = await deps.telemetry.query<{ project: number }>(
    `SELECT project_id AS project FROM event_index
     WHERE project_id IN {projects:Array(UInt32)} AND event_id = {event:String} ORDER BY project_id LIMIT 1`,
    { projects, event },
  )
  return row?.project
}
