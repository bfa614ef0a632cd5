/** The end of a project. */
import type { Grant } from '@sonde/access'
import { z } from 'zod'
import { writeAudit } from './audit.ts'
import type { CommandDeps } from './command-deps.ts'
import { InvalidInput, readInput } from './invalid-input.ts'
import { writeTransaction } from '@sonde/stores'

const INPUT = z.object({ confirmSlug: z.string() })

/**
 * Issues, hashes, keys, settings, attachments and dead letters go at once, in one transaction; events, their index,
 * counts and files go in the background (`startDeletions`). Cannot be undone. Throws `InvalidInput`: `confirmSlug`
 * is not the project's slug.
 */
export async function deleteProject(
  deps: CommandDeps,
  grant: Grant<'project:delete', 'project'>,
  input: { readonly confirmSlug: string },
): Promise<void> {
  const operation = 'delete a project'
  const { confirmSlug } = readInput(operation, INPUT, input)
  if (confirmSlug.trim() !== grant.projectSlug) {
    throw new InvalidInput(operation, { confirmSlug: [`type ${grant.projectSlug} to delete it`] })
  }
  const { projectId, orgId, viewer } = grant
  const name = `${grant.orgSlug}/${grant.projectSlug}`
  const atMs = deps.clock.nowMs()
  await writeTransaction(deps.records, async (tx) => {
    const state = await tx.selectFrom('pipeline_state').selectAll().executeTakeFirst()
    const letters = await tx
      .selectFrom('dead_letter')
      .selectAll()
      .where('project_id', '=', projectId)
      .execute()
    await tx.deleteFrom('dead_letter').where('project_id', '=', projectId).execute()
    await tx
      .insertInto('blob_garbage')
      .columns(['name', 'since_ms'])
      .expression((eb) =>
        eb
          .selectFrom('attachment')
          .select(['blob', eb.lit(atMs).as('since_ms')])
          .distinct()
          .where('project_id', '=', projectId),
      )
      .execute()
    // Everything that refers to it goes along (ON DELETE CASCADE).
    await tx.deleteFrom('project').where('id', '=', projectId).execute()
    await tx
      .insertInto('deletion')
      .values({
        project_id: projectId,
        org_id: orgId,
        name,
        // A batch in flight found its issues before this moment and may still insert their events; every later one
        // finds no project.
        after_position: state?.inflight_to ?? state?.position ?? 0,
        blobs: JSON.stringify([...new Set(letters.map((letter) => letter.blob))]),
        requested_ms: atMs,
        finished_ms: null,
      })
      .execute()
    await writeAudit(tx, {
      orgId,
      viewer,
      action: 'project.delete',
      subject: name,
      detail: { projectId },
      atMs,
    })
  })
  deps.onDeletion?.()
}
