/** Takes an upload away: stacks that come later are not read with its files any more. */
import type { Grant } from '@sonde/access'
import { SondeError } from '@sonde/base'
import { z } from 'zod'
import { writeAudit } from '../audit.ts'
import type { CommandDeps } from '../command-deps.ts'
import { readInput } from '../invalid-input.ts'
import { writeTransaction } from '@sonde/stores'

const INPUT = z.object({ id: z.int().positive() })

export type DeleteUploadInput = { readonly id: number }

/**
 * In every project that it is for. The same files may be uploaded again; what lies on the disk goes soon after, unless another upload has the same.
 * Throws `SondeError` (`not-found`), `InvalidInput`.
 */
export async function deleteUpload(
  deps: CommandDeps,
  grant: Grant<'release:write', 'project'>,
  input: DeleteUploadInput,
): Promise<void> {
  const operation = 'delete an upload'
  const { id } = readInput(operation, INPUT, input)
  const atMs = deps.clock.nowMs()
  const subject = `${grant.orgSlug}/${grant.projectSlug}`
  await writeTransaction(deps.records, async (tx) => {
    const gone = await tx
      .deleteFrom('artifact_bundle')
      .where('id', '=', id)
      .where('org_id', '=', grant.orgId)
      .where('id', 'in', (on) =>
        on
          .selectFrom('artifact_bundle_project')
          .select('bundle_id')
          .where('project_id', '=', grant.projectId),
      )
      .returning(['release', 'dist'])
      .executeTakeFirst()
    if (!gone) throw new SondeError('not-found', `the project has no upload ${id}`, { operation, subject })
    const { release, dist } = gone
    await writeAudit(tx, {
      orgId: grant.orgId,
      viewer: grant.viewer,
      action: 'artifact.delete',
      subject,
      detail: { id, release, dist },
      atMs,
    })
  })
  deps.onDeletion?.()
}
