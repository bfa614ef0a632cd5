/** The end of a project. */
import type { Viewer } from '@sonde/access'
import { z } from 'zod'
import { writeAudit } from './audit.ts'
import type { CommandDeps } from './command-deps.ts'
import type { ProjectInput } from './create-key.ts'
import { refField } from './fields.ts'
import { InvalidInput, readInput } from './invalid-input.ts'
import { writeTransaction } from '@sonde/stores'

const INPUT = z.object({ org: refField, project: refField, confirmSlug: z.string() })

/**
 * Issues, hashes, keys, settings, attachments and dead letters go at once, in one transaction; events, their index,
 * counts and files go in the background (`startDeletions`). Cannot be undone. Permission `project:delete`. Throws `InvalidInput` (`confirmSlug`
 * is not the project's slug), `SondeError` (`not-found`, `forbidden`).
 */
export async function deleteProject(
  deps: CommandDeps,
  viewer: Viewer,
  input: ProjectInput & { readonly confirmSlug: string },
): Promise<void> {
  const operation = 'delete a project'
  const { org, project, confirmSlug } = readInput(operation, INPUT, input)
  const scope = await deps.access.openProject(viewer, org, project, 'project:delete')
  if (confirmSlug.trim() !== scope.projectSlug) {
    throw new InvalidInput(operation, { confirmSlug: [`type ${scope.projectSlug} to delete it`] })
  }
  const { projectId, orgId } = scope
  const name = `${scope.orgSlug}/${scope.projectSlug}`
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
