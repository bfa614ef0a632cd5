/** Takes away everything that was uploaded for a release. Its content goes soon after, where nothing else has the same. */
import type { Grant } from '@sonde/access'
import { type Records, writeTransaction } from '@sonde/stores'
import { z } from 'zod'
import { writeAudit } from '../audit.ts'
import type { CommandDeps } from '../command-deps.ts'
import { versionField } from '../releases/release-fields.ts'
import { readUploadInput } from './upload-input.ts'

const RELEASE = z.object({ version: versionField })

/**
 * Everything that was uploaded for a release of a project, or of all projects. Idempotent. Throws
 * `SondeError` (`invalid`). Returns how many uploads.
 */
export async function deleteReleaseArtifacts(
  deps: CommandDeps,
  grant: Grant<'release:write', 'org' | 'project'>,
  input: { readonly version: string },
): Promise<number> {
  const { version } = readUploadInput('delete uploads', RELEASE, input)
  const { orgId, viewer } = grant
  const count = await writeTransaction(deps.records, async (tx) => {
    const projects = await tx.selectFrom('project').select('id').where('org_id', '=', orgId).execute()
    const ids = 'projectId' in grant ? [grant.projectId] : projects.map((row) => row.id)
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
