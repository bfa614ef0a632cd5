/** Chosen events that were deleted within a day and can be restored, the newest deletion first. */
import type { Grant } from '@sonde/access'
import type { QueryDeps } from '../query-deps.ts'

type DeletedEventsRow = {
  readonly id: number
  readonly actor: string
  /** With those that a spike left out. */
  readonly events: number
  readonly deletedMs: number
  /** From then on they are gone. */
  readonly purgeMs: number
}

const MOST = 100

/** `id`: this one alone. */
export async function deletedEvents(
  { records, clock }: Pick<QueryDeps, 'records' | 'clock'>,
  grant: Grant<'event:delete', 'project'>,
  id?: number,
): Promise<readonly DeletedEventsRow[]> {
  const rows = await records
    .selectFrom('recently_deleted')
    .select(['id', 'actor', 'count', 'deleted_ms', 'purge_ms'])
    .where('project_id', '=', grant.projectId)
    .where('kind', '=', 'events')
    .where('purge_ms', '>', clock.nowMs())
    .$if(id !== undefined, (query) => query.where('id', '=', id ?? 0))
    .orderBy('id', 'desc')
    .limit(MOST)
    .execute()
  return rows.map((row) => ({
    id: row.id,
    actor: row.actor,
    events: row.count,
    deletedMs: row.deleted_ms,
    purgeMs: row.purge_ms,
  }))
}
