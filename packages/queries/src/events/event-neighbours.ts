/** The arrows on the issue screen. */
import type { QueryDeps } from '../query-deps.ts'

/** Event ids within the same issue; undefined at the ends. */
export type EventNeighbours = {
  /** The next older one. */
  readonly previousId: string | undefined
  /** The next newer one. */
  readonly nextId: string | undefined
}

export type EventPlace = {
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
