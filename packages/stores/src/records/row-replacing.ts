/** Rows that are being replaced and persons that are being erased keep out of each other's way. */
import type { Records } from './schema.ts'

/**
 * In the transaction that notes which rows are replaced: whether somebody is being erased of the project just now. What was read
 * before the deletion would be written again after it.
 */
export async function isErasing(tx: Records, projectId: number): Promise<boolean> {
  const rows = await tx
    .selectFrom('erasure')
    .select('projects')
    .where('finished_ms', 'is', null)
    .where('state', 'in', ['waits', 'deletes'])
    .execute()
  return rows.some(({ projects }) => (JSON.parse(projects) as number[]).includes(projectId))
}

/** Whether rows are noted to be replaced, or are on their way from one table to another: an erasure begins once none are. Between two chunks of a run there are none. */
export async function isReplacing(records: Records, projectIds: readonly number[]): Promise<boolean> {
  const runs = await records
    .selectFrom('repair')
    .select('cursor')
    .where('finished_ms', 'is', null)
    .where('cursor', '<>', '')
    .execute()
  if (await areEventsOnTheirWay(records, projectIds)) return true
  return runs.some(({ cursor }) => {
    const { lot, rows } = JSON.parse(cursor) as Partial<
      Record<'lot' | 'rows', { readonly projectId: number }>
    >
    return [lot, rows].some((chunk) => chunk !== undefined && projectIds.includes(chunk.projectId))
  })
}

/** Rows of chosen events go to `deleted_events` or back: in a transaction that changes where events are. */
export async function areEventsOnTheirWay(records: Records, projectIds: readonly number[]): Promise<boolean> {
  const row = await records
    .selectFrom('event_deletion')
    .select('id')
    .where('project_id', 'in', projectIds)
    .where('state', 'in', ['hides', 'restores'])
    .executeTakeFirst()
  return row !== undefined
}
