/** Which events are on their way to another issue. */
import type { Records } from '@sonde/stores'
import type { OpenMove } from './move-events.ts'

/** Of one project, or of all; in the order in which they were asked for. */
export async function openMoves(records: Records, projectId?: number): Promise<readonly OpenMove[]> {
  return records
    .selectFrom('issue_move')
    .select(['id', 'project_id', 'from_issue_id', 'into_issue_id', 'hashes'])
    .where('finished_ms', 'is', null)
    .$if(projectId !== undefined, (query) => query.where('project_id', '=', projectId ?? 0))
    .orderBy('id')
    .execute()
}
