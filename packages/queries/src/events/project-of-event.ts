/** Which project of a scope an event is of. */
import type { QueryDeps } from '../query-deps.ts'
import { type AnyScope, projectIdsOf } from '../scope-projects.ts'

const FORM = /^[0-9a-f]{32}$/

/** By its id, with or without hyphens. One look-up in `event_index` for each project, in one read. */
export async function projectOfEvent(
  deps: Pick<QueryDeps, 'records' | 'telemetry'>,
  scope: AnyScope,
  eventId: string,
): Promise<number | undefined> {
  const event = eventId.replaceAll('-', '').toLowerCase()
  const projects = await projectIdsOf(deps, scope)
  if (!FORM.test(event) || projects.length === 0) return undefined
  const [row] = await deps.telemetry.query<{ project: number }>(
    `SELECT project_id AS project FROM event_index
     WHERE project_id IN {projects:Array(UInt32)} AND event_id = {event:String} ORDER BY project_id LIMIT 1`,
    { projects, event },
  )
  return row?.project
}
