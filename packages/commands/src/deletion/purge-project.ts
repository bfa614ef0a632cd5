/** The end of a project that nobody may restore any more. */
import type { Viewer } from '@sonde/access'
import { type Records, writeTransaction } from '@sonde/stores'
import { writeAudit } from '../audit.ts'

/**
 * Issues, hashes, keys, settings, attachments and dead letters go at once, in one transaction; events, their index, counts and
 * files go in the background (`startDeletions`). Idempotent: does nothing when it is gone. `records`: with what is hidden.
 */
export async function purgeProject(
  records: Records,
  { projectId, viewer, atMs }: { readonly projectId: number; readonly viewer: Viewer; readonly atMs: number },
): Promise<void> {
  await writeTransaction(records, async (tx) => {
    const project = await tx
      .selectFrom('project')
      .innerJoin('organization', 'organization.id', 'project.org_id')
      .select(['project.slug', 'project.org_id', 'organization.slug as orgSlug'])
      .where('project.id', '=', projectId)
      .executeTakeFirst()
    if (!project) return
    const { org_id: orgId } = project
    const name = `${project.orgSlug}/${project.slug}`
    const states = await tx.selectFrom('pipeline_state').selectAll().execute()
    const letters = await tx
      .selectFrom('dead_letter')
      .selectAll()
      .where('project_id', '=', projectId)
      .execute()
    await tx.deleteFrom('dead_letter').where('project_id', '=', projectId).execute()
    const segments = tx.selectFrom('replay_segment').where('project_id', '=', projectId)
    for (const files of [
      tx.selectFrom('attachment').select('blob as name').distinct().where('project_id', '=', projectId),
      segments.select('blob as name'),
      segments.select((eb) => eb.ref('video_blob').$notNull().as('name')).where('video_blob', 'is not', null),
    ])
      await tx
        .insertInto('blob_garbage')
        .columns(['name', 'since_ms'])
        .expression((eb) =>
          eb.selectFrom(files.as('file')).select(['file.name', eb.lit(atMs).as('since_ms')]),
        )
        .execute()
    // Everything that refers to it goes along (ON DELETE CASCADE).
    await tx.deleteFrom('project').where('id', '=', projectId).execute()
    // A batch in flight found its issues before this moment and may still insert their events; every later one finds no
    // project. So there is a deletion for each partition of the log: its events may come with any of them.
    const afterPositions = states.map((state) => ({
      log_partition: state.log_partition,
      after_position: state.inflight_to ?? state.position,
    }))
    const deletion = {
      project_id: projectId,
      org_id: orgId,
      name,
      blobs: JSON.stringify([...new Set(letters.map((letter) => letter.blob))]),
      requested_ms: atMs,
      finished_ms: null,
    }
    await tx
      .insertInto('deletion')
      .values(
        (states.length > 0 ? afterPositions : [{ after_position: 0 }]).map((after) => ({
          ...deletion,
          ...after,
        })),
      )
      .execute()
    await writeAudit(tx, {
      orgId,
      viewer,
      action: 'project.purge',
      subject: name,
      detail: { projectId },
      atMs,
    })
  })
}
