/** Takes one attachment away from its event. */
import type { Viewer } from '@sonde/access'
import { SondeError } from '@sonde/base'
import { discardBlobs, writeTransaction } from '@sonde/stores'
import { z } from 'zod'
import { writeAudit } from './audit.ts'
import type { CommandDeps } from './command-deps.ts'
import type { ProjectInput } from './create-key.ts'
import { refField } from './fields.ts'
import { readInput } from './invalid-input.ts'

const INPUT = z.object({
  org: refField,
  project: refField,
  eventId: z.string().regex(/^[0-9a-f]{32}$/),
  id: z.int().positive(),
})

export type AttachmentInput = ProjectInput & { readonly eventId: string; readonly id: number }

/**
 * Cannot be undone: its bytes leave the disk soon after, unless another event has the same. Permission `event:delete`.
 * Throws `SondeError` (`not-found`, `forbidden`), `InvalidInput`.
 */
export async function deleteAttachment(
  deps: CommandDeps,
  viewer: Viewer,
  input: AttachmentInput,
): Promise<void> {
  const operation = 'delete an attachment'
  const { org, project, eventId, id } = readInput(operation, INPUT, input)
  const scope = await deps.access.openProject(viewer, org, project, 'event:delete')
  const atMs = deps.clock.nowMs()
  await writeTransaction(deps.records, async (tx) => {
    const row = await tx
      .deleteFrom('attachment')
      .where('id', '=', id)
      .where('project_id', '=', scope.projectId)
      .where('event_id', '=', eventId)
      .returning(['blob', 'name', 'bytes'])
      .executeTakeFirst()
    if (!row) {
      throw new SondeError('not-found', `the event has no attachment ${id}`, {
        operation,
        subject: `${scope.orgSlug}/${scope.projectSlug}/${eventId}/${id}`,
      })
    }
    await discardBlobs(tx, [row.blob], atMs)
    await writeAudit(tx, {
      orgId: scope.orgId,
      viewer,
      action: 'attachment.delete',
      subject: `${scope.orgSlug}/${scope.projectSlug}/${eventId}`,
      detail: { id, name: row.name, bytes: row.bytes },
      atMs,
    })
  })
  deps.onDeletion?.()
}
