/** Takes an upload away: stacks that come later are not read with its files any more. */
import type { Viewer } from '@sonde/access'
import { SondeError } from '@sonde/base'
import { z } from 'zod'
import { writeAudit } from '../audit.ts'
import type { CommandDeps } from '../command-deps.ts'
import type { ProjectInput } from '../create-key.ts'
import { refField } from '../fields.ts'
import { readInput } from '../invalid-input.ts'
import { writeTransaction } from '@sonde/stores'

const INPUT = z.object({ org: refField, project: refField, id: z.int().positive() })

export type DeleteUploadInput = ProjectInput & { readonly id: number }

/**
 * In every project that it is for. The same files may be uploaded again; what lies on the disk goes soon after, unless another upload has the same.
 * Permission `release:write`, as for uploading. Throws `SondeError` (`not-found`, `forbidden`), `InvalidInput`.
 */
export async function deleteUpload(
  deps: CommandDeps,
  viewer: Viewer,
  input: DeleteUploadInput,
): Promise<void> {
  const operation = 'delete an upload'
  const { org, project, id } = readInput(operation, INPUT, input)
  const scope = await deps.access.openProject(viewer, org, project, 'release:write')
  const atMs = deps.clock.nowMs()
  const subject = `${scope.orgSlug}/${scope.projectSlug}`
  await writeTransaction(deps.records, async (tx) => {
    const gone = await tx
      .deleteFrom('artifact_bundle')
      .where('id', '=', id)
      .where('org_id', '=', scope.orgId)
      .where('id', 'in', (on) =>
        on
          .selectFrom('artifact_bundle_project')
          .select('bundle_id')
          .where('project_id', '=', scope.projectId),
      )
      .returning(['release', 'dist'])
      .executeTakeFirst()
    if (!gone) throw new SondeError('not-found', `the project has no upload ${id}`, { operation, subject })
    const { release, dist } = gone
    await writeAudit(tx, {
      orgId: scope.orgId,
      viewer,
      action: 'artifact.delete',
      subject,
      detail: { id, release, dist },
      atMs,
    })
  })
  deps.onDeletion?.()
}
