/** One step of removing what a deleted project left in telemetry, blobs and dead letters. */
import { type Blobs, type Records, type Telemetry, TELEMETRY_TABLES } from '@sonde/stores'

export type DeletionStores = {
  readonly records: Records
  readonly telemetry: Pick<Telemetry, 'deleteRows'>
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
 * May be interrupted anywhere and called again: it looks at what is there, not at what it did.
 */
export async function deleteRows(stores: DeletionStores, deletion: PendingDeletion): Promise<DeletionStep> {
  const { records, telemetry, blobs } = stores
  const state = await records.selectFrom('pipeline_state').select('position').executeTakeFirst()
  if ((state?.position ?? 0) < deletion.afterPosition) return 'waits'
  const params = { project: deletion.projectId }
  let waits = false
  for (const table of TELEMETRY_TABLES) {
    const left = await telemetry.deleteRows(table, 'project_id = {project:UInt32}', params)
    if (left > 0) waits = true
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
