/** Takes away a file that was uploaded for itself. */
import type { Grant } from '@sonde/access'
import { SondeError } from '@sonde/base'
import { z } from 'zod'
import { writeAudit } from '../audit.ts'
import type { CommandDeps } from '../command-deps.ts'
import { versionField } from '../releases/release-fields.ts'
import { readUploadInput } from './upload-input.ts'
import { writeTransaction } from '@sonde/stores'

const FILE = z.object({
  version: versionField,
  fileId: z.int().positive(),
})

/**
 * One file that came for itself; of a release in several projects, those of the same name go too. Throws
 * `SondeError` (`not-found`, `invalid`).
 */
export async function deleteReleaseFile(
  deps: CommandDeps,
  grant: Grant<'release:write', 'org' | 'project'>,
  input: {
    readonly version: string
    readonly fileId: number
  },
): Promise<void> {
  const operation = 'delete a file of a release'
  const { version, fileId } = readUploadInput(operation, FILE, input)
  const { orgId, viewer } = grant
  await writeTransaction(deps.records, async (tx) => {
    let bundles = tx
      .selectFrom('artifact_bundle')
      .innerJoin('artifact_bundle_project', 'artifact_bundle_project.bundle_id', 'artifact_bundle.id')
      .select('artifact_bundle.id')
      .where('artifact_bundle.org_id', '=', orgId)
      .where('artifact_bundle.release', '=', version)
      .where('artifact_bundle.kind', '=', 'release_files')
    if ('projectId' in grant)
      bundles = bundles.where('artifact_bundle_project.project_id', '=', grant.projectId)
    const file = await tx
      .selectFrom('artifact_file')
      .innerJoin('artifact_bundle', 'artifact_bundle.id', 'artifact_file.bundle_id')
      .select(['artifact_file.url', 'artifact_bundle.dist'])
      .where('artifact_file.id', '=', fileId)
      .where('artifact_file.bundle_id', 'in', bundles)
      .executeTakeFirst()
    if (!file) throw new SondeError('not-found', `no file ${fileId}`, { operation, subject: version })
    const { url, dist } = file
    await tx
      .deleteFrom('artifact_file')
      .where('bundle_id', 'in', bundles.where('artifact_bundle.dist', '=', dist))
      .where('url', '=', url)
      .execute()
    const detail = { url, dist }
    const atMs = deps.clock.nowMs()
    await writeAudit(tx, { orgId, viewer, action: 'artifact.delete', subject: version, detail, atMs })
  })
  deps.onDeletion?.()
}
