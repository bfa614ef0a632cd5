/** Rows of files of a project that are older than its rule keeps; the files become garbage that `sweepAttachments` deletes. */
import type { Clock } from '@sonde/base'
import { discardBlobs, discardRecordings, type Records, writeTransaction } from '@sonde/stores'
import { sql } from 'kysely'
import { deleteBundle } from './start-deletions.ts'

type Options = { readonly records: Records; readonly clock: Clock }
type Old = { readonly projectId: number; readonly beforeMs: number }

// A transaction of so many rows takes some milliseconds; the pipeline waits for its end.
const ROWS_AT_ONCE = 500

/** May be interrupted anywhere and called again. */
export async function deleteOldFiles(
  options: Options,
  files: 'attachment' | 'replay_segment' | 'artifact_file',
  old: Old,
  signal: AbortSignal,
): Promise<void> {
  if (files === 'artifact_file') return await deleteOldBundles(options, old, signal)
  const step = files === 'attachment' ? oldAttachments : oldSegments
  while (!signal.aborted && (await step(options, old)) === ROWS_AT_ONCE);
}

async function oldAttachments({ records, clock }: Options, { projectId, beforeMs }: Old): Promise<number> {
  return await writeTransaction(records, async (tx) => {
    const rows = await tx
      .selectFrom('attachment')
      .select(['id', 'blob'])
      .where('project_id', '=', projectId)
      .where('created_ms', '<', beforeMs)
      .limit(ROWS_AT_ONCE)
      .execute()
    if (rows.length === 0) return 0
    const ids = rows.map(({ id }) => id)
    await tx.deleteFrom('attachment').where('id', 'in', ids).execute()
    await discardBlobs(
      tx,
      rows.map(({ blob }) => blob),
      clock.nowMs(),
    )
    return rows.length
  })
}

async function oldSegments({ records, clock }: Options, { projectId, beforeMs }: Old): Promise<number> {
  return await writeTransaction(records, async (tx) => {
    const rows = await tx
      .selectFrom('replay_segment')
      .select(['replay_id', 'segment_id', 'blob', 'video_blob'])
      .where('project_id', '=', projectId)
      .where('created_ms', '<', beforeMs)
      .limit(ROWS_AT_ONCE)
      .execute()
    if (rows.length === 0) return 0
    const blobs = rows.map(({ blob }) => blob)
    await tx
      .deleteFrom('replay_segment')
      .where('project_id', '=', projectId)
      .where('created_ms', '<', beforeMs)
      .where('blob', 'in', blobs)
      .execute()
    await discardRecordings(tx, [...blobs, ...rows.flatMap((row) => row.video_blob ?? [])], clock.nowMs())
    return rows.length
  })
}

/** A bundle that other projects have too stays theirs. */
async function deleteOldBundles(
  { records, clock }: Options,
  { projectId, beforeMs }: Old,
  signal: AbortSignal,
): Promise<void> {
  const bundles = await records
    .selectFrom('artifact_bundle_project')
    .innerJoin('artifact_bundle', 'artifact_bundle.id', 'artifact_bundle_project.bundle_id')
    .select(['artifact_bundle.id as id'])
    .where('artifact_bundle_project.project_id', '=', projectId)
    .where(sql<number>`coalesce(artifact_bundle.last_used_ms, artifact_bundle.created_ms)`, '<', beforeMs)
    .execute()
  for (const { id } of bundles) {
    if (signal.aborted) return
    const projects = await records
      .selectFrom('artifact_bundle_project')
      .select('project_id')
      .where('bundle_id', '=', id)
      .execute()
    if (projects.length === 1) await deleteBundle(records, id, clock.nowMs(), signal)
    else
      await records
        .deleteFrom('artifact_bundle_project')
        .where('bundle_id', '=', id)
        .where('project_id', '=', projectId)
        .execute()
  }
}
