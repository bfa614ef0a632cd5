/** Takes away everything that was uploaded for a release. Its content goes soon after, where nothing else has the same. */
import type { Viewer } from '@sonde/access'
import { type Records, writeTransaction } from '@sonde/stores'
import { z } from 'zod'
import { writeAudit } from '../audit.ts'
import type { CommandDeps } from '../command-deps.ts'
import { refField } from '../fields.ts'
import { versionField } from '../releases/release-fields.ts'
import { readUploadInput } from './upload-input.ts'

type Ref = string | number

const RELEASE = z.object({ org: refField, project: refField.optional(), version: versionField })

/**
 * Everything that was uploaded for a release of a project, or of all projects. Idempotent. Permission `release:write`.
 * Throws `SondeError` (`not-found`, `forbidden`, `invalid`). Returns how many uploads.
 */
export async function deleteReleaseArtifacts(
  deps: CommandDeps,
  viewer: Viewer,
  input: { readonly org: Ref; readonly project?: Ref | undefined; readonly version: string },
): Promise<number> {
  const { org, project, version } = readUploadInput('delete uploads', RELEASE, input)
  const { orgId } = await deps.access.openOrg(viewer, org, 'release:write')
  const scope =
    project === undefined ? undefined : await deps.access.openProject(viewer, org, project, 'release:write')
  const count = await writeTransaction(deps.records, async (tx) => {
    const projects = await tx.selectFrom('project').select('id').where('org_id', '=', orgId).execute()
    const ids = scope ? [scope.projectId] : projects.map((row) => row.id)
    const gone = await giveUp(tx, orgId, ids, version)
    if (gone === 0) return 0
    const detail = { uploads: gone, projectIds: ids }
    const atMs = deps.clock.nowMs()
    await writeAudit(tx, { orgId, viewer, action: 'artifact.delete', subject: version, detail, atMs })
    return gone
  })
  if (count > 0) deps.onDeletion?.()
  return count
}

/** The bundles that one of the projects had. What no project has any more goes with its last one (a trigger). */
async function giveUp(
  tx: Records,
  orgId: number,
  projectIds: readonly number[],
  release: string,
): Promise<number> {
  const bundles = tx
    .selectFrom('artifact_bundle')
    .select('id')
    .where('org_id', '=', orgId)
    .where('release', '=', release)
  const given = await tx
    .deleteFrom('artifact_bundle_project')
    .where('bundle_id', 'in', bundles)
    .where('project_id', 'in', projectIds)
    .returning('bundle_id')
    .execute()
  return new Set(given.map((row) => row.bundle_id)).size
}
