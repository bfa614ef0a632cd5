/** One step of removing what a deleted project left in telemetry, blobs and dead letters. */
import { type Blobs, type Records, type Telemetry, TELEMETRY_TABLES } from '@sonde/stores'

export type DeletionStores = {
  readonly records: Records
  readonly telemetry: Pick<Telemetry, 'query' | 'command'>
  readonly blobs: Pick<Blobs, 'delete'>
}
export type PendingDeletion = {
  readonly id: number
  readonly projectId: number
  readonly afterPosition: number
  readonly blobs: readonly string[]
}
/** `waits`: for the pipeline or the engine; to be called again. */
export type DeletionStep = 'done' | 'waits'

/**
 * May be interrupted anywhere and called again: it looks at what is there, not at what it did. Rows are marked as
 * deleted, which queries see at once; their bytes leave the disk when the engine merges their part.
 */
export async function deleteRows(stores: DeletionStores, deletion: PendingDeletion): Promise<DeletionStep> {
  const { records, telemetry, blobs } = stores
  const state = await records.selectFrom('pipeline_state').select('position').executeTakeFirst()
  if ((state?.position ?? 0) < deletion.afterPosition) return 'waits'
  const params = { project: deletion.projectId }
  let waits = false
  for (const table of TELEMETRY_TABLES) {
    const [left] = await telemetry.query<{ n: number }>(
      `SELECT count() AS n FROM ${table} WHERE project_id = {project:UInt32}`,
      params,
    )
    if (!left || left.n === 0) continue
    waits = true
    const [running] = await telemetry.query<{ n: number }>(
      `SELECT count() AS n FROM system.mutations
       WHERE database = currentDatabase() AND table = {table:String} AND NOT is_done`,
      { table },
    )
    // One at a time: each of them walks all parts of the table.
    if (running && running.n > 0) continue
    // It goes on in the background and survives a restart; waiting for it would hold a connection that screens need.
    await telemetry.command(
      `DELETE FROM ${table} WHERE project_id = {project:UInt32} SETTINGS lightweight_deletes_sync = 0`,
      params,
    )
  }
  if (waits) return 'waits'
  const letters = await records
    .selectFrom('dead_letter')
    .select(['id', 'blob'])
    .where('project_id', '=', deletion.projectId)
    .execute()
  for (const name of [...deletion.blobs, ...letters.map((letter) => letter.blob)]) await blobs.delete(name)
  await records.deleteFrom('dead_letter').where('project_id', '=', deletion.projectId).execute()
  return 'done'
}
