/** Takes one attachment away from its event. */
import type { Grant } from '@sonde/access'
import { SondeError } from '@sonde/base'
import { discardBlobs, writeTransaction } from '@sonde/stores'
import { z } from 'zod'
import { writeAudit } from './audit.ts'
import type { CommandDeps } from './command-deps.ts'
import { readInput } from './fields.ts'

const INPUT = z.object({
  eventId: z.string().regex(/^[0-9a-f]{32}$/),
  id: z.int().positive(),
})

export type AttachmentInput = { readonly eventId: string; readonly id: number }

/**
 * Cannot be undone: its bytes leave the disk soon after, unless another event has the same. Throws
 * `SondeError` (`not-found`), `InvalidInput`.
 */
export async function deleteAttachment(
  deps: CommandDeps,
  grant: Grant<'event:delete', 'project'>,
  input: AttachmentInput,
): Promise<void> {
  const operation = 'delete an attachment'
  const { eventId, id } = readInput(operation, INPUT, input)
  const atMs = deps.clock.nowMs()
  await writeTransaction(deps.records, async (tx) => {
    const row = await tx
      .deleteFrom('attachment')
      .where('id', '=', id)
      .where('project_id', '=', grant.projectId)
      .where('event_id', '=', eventId)
      .returning(['blob', 'name', 'bytes'])
      .executeTakeFirst()
    if (!row) {
      throw new SondeError('not-found', `the event has no attachment ${id}`, {
        operation,
        subject: `${grant.orgSlug}/${grant.projectSlug}/${eventId}/${id}`,
      })
    }
    await discardBlobs(tx, [row.blob], atMs)
    await writeAudit(tx, {
      orgId: grant.orgId,
      viewer: grant.viewer,
      action: 'attachment.delete',
      subject: `${grant.orgSlug}/${grant.projectSlug}/${eventId}`,
      detail: { id, name: row.name, bytes: row.bytes },
      atMs,
    })
  })
  deps.onDeletion?.()
}
