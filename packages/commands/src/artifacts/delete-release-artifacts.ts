/** Takes away everything that was uploaded for a release. Its content goes soon after, where nothing else has the same. */
import type { Grant } from '@sonde/access'
import { SondeError } from '@sonde/base'
import { inProjects, type Records, writeTransaction } from '@sonde/stores'
import { z } from 'zod'
import { writeAudit } from '../audit.ts'
import type { CommandDeps } from '../command-deps.ts'
import { readInput } from '../fields.ts'
import { versionField } from '../releases/release-fields.ts'
import { readUploadInput } from './upload-input.ts'

/** Takes an upload away: stacks that come later are not read with its files any more. */
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

/** Takes away a file that was uploaded for itself. */
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
    const bundles = tx
      .selectFrom('artifact_bundle')
      .innerJoin('artifact_bundle_project', 'artifact_bundle_project.bundle_id', 'artifact_bundle.id')
      .select('artifact_bundle.id')
      .where('artifact_bundle.org_id', '=', orgId)
      .where('artifact_bundle.release', '=', version)
      .where('artifact_bundle.kind', '=', 'release_files')
      .where('artifact_bundle_project.project_id', 'in', (eb) =>
        eb.selectFrom('project').select('project.id').where(inProjects(grant)),
      )
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
    const projects = await tx.selectFrom('project').select('id').where(inProjects(grant)).execute()
    const ids = projects.map((row) => row.id)
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
