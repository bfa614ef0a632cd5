/** Which project of a grant an event is of. */
import type { Grant } from '@sonde/access'
import type { QueryDeps } from '../query-deps.ts'
import { projectIdsOf } from '../project-ids.ts'

const FORM = /^[0-9a-f]{32}$/

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
