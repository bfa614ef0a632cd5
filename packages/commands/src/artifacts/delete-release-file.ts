/** Takes away a file that was uploaded for itself. */
import type { Viewer } from '@sonde/access'
import { SondeError } from '@sonde/base'
import { z } from 'zod'
import { writeAudit } from '../audit.ts'
import type { CommandDeps } from '../command-deps.ts'
import { refField } from '../fields.ts'
import { versionField } from '../releases/release-fields.ts'
import { readUploadInput } from './upload-input.ts'
import { writeTransaction } from '@sonde/stores'

type Ref = string | number

const FILE = z.object({
  org: refField,
  project: refField.optional(),
  version: versionField,
  fileId: z.int().positive(),
})

/**
 * One file that came for itself; of a release in several projects, those of the same name go too. Permission
 * `release:write`. Throws `SondeError` (`not-found`, `forbidden`, `invalid`).
 */
export async function deleteReleaseFile(
  deps: CommandDeps,
  viewer: Viewer,
  input: {
    readonly org: Ref
    readonly project?: Ref | undefined
    readonly version: string
    readonly fileId: number
  },
): Promise<void> {
  const operation = 'delete a file of a release'
  const { org, project, version, fileId } = readUploadInput(operation, FILE, input)
  const { orgId } = await deps.access.openOrg(viewer, org, 'release:write')
  const scope =
    project === undefined ? undefined : await deps.access.openProject(viewer, org, project, 'release:write')
  await writeTransaction(deps.records, async (tx) => {
    let bundles = tx
      .selectFrom('artifact_bundle')
      .innerJoin('artifact_bundle_project', 'artifact_bundle_project.bundle_id', 'artifact_bundle.id')
      .select('artifact_bundle.id')
      .where('artifact_bundle.org_id', '=', orgId)
      .where('artifact_bundle.release', '=', version)
      .where('artifact_bundle.kind', '=', 'release_files')
    if (scope) bundles = bundles.where('artifact_bundle_project.project_id', '=', scope.projectId)
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
