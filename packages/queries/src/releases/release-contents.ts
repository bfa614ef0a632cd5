/** What belongs to one release: deploys, commits with their files, uploaded bundles. */
import type { Grant } from '@sonde/access'
import { countIf } from '@sonde/stores'
import { sql } from 'kysely'
import type { QueryDeps } from '../query-deps.ts'
import type { ReleaseDeploy } from './release-facts.ts'

export type ReleaseCommit = {
  readonly sha: string
  readonly repository: string
  readonly authorName: string
  readonly authorEmail: string
  readonly message: string
  readonly atMs: number
  /** At most `MAX_COMMIT_FILES_SHOWN`, by path. */
  readonly files: readonly { readonly path: string; readonly change: 'A' | 'M' | 'D' }[]
  readonly fileCount: number
}
export type ReleaseBundle = {
  readonly id: number
  readonly dist: string
  readonly files: number
  readonly maps: number
  /** Maps that cannot be used. */
  readonly problems: number
  /** Uncompressed, and on the disk. */
  readonly bytes: number
  readonly storedBytes: number
  readonly createdMs: number
  /** To the day; undefined: no frame was read with it yet. */
  readonly lastUsedMs: number | undefined
}

type Deps = Pick<QueryDeps, 'records'>

const MAX_DEPLOYS = 100
export const MAX_COMMIT_FILES_SHOWN = 20
const MAX_BUNDLES = 100

/** Newest first, those of the project. */
export async function releaseDeploys(
  { records }: Deps,
  grant: Grant<'event:read' | 'project:read', 'project'>,
  releaseId: number,
): Promise<readonly ReleaseDeploy[]> {
  const rows = await records
    .selectFrom('deploy')
    .selectAll('deploy')
    .where('release_id', '=', releaseId)
    .where(({ exists, not, or, selectFrom }) => {
      const named = selectFrom('deploy_project').whereRef('deploy_id', '=', 'deploy.id').select('deploy_id')
      return or([not(exists(named)), exists(named.where('project_id', '=', grant.projectId))])
    })
    .orderBy('deploy.finished_ms', 'desc')
    .orderBy('id', 'desc')
    .limit(MAX_DEPLOYS)
    .execute()
  return rows.map((row) => ({
    environment: row.environment,
    name: row.name ?? undefined,
    url: row.url ?? undefined,
    startedMs: row.started_ms ?? undefined,
    finishedMs: row.finished_ms,
  }))
}

/** As they were told, the newest first. */
export async function releaseCommits(
  { records }: Deps,
  releaseId: number,
  { offset, limit }: { readonly offset: number; readonly limit: number },
): Promise<readonly ReleaseCommit[]> {
  const commits = await records
    .selectFrom('release_commit')
    .innerJoin('source_commit', 'source_commit.id', 'release_commit.commit_id')
    .selectAll('source_commit')
    .where('release_commit.release_id', '=', releaseId)
    .orderBy('release_commit.position')
    .limit(limit)
    .offset(offset)
    .execute()
  if (commits.length === 0) return []
  // A commit may have changed ten thousand files: of each only the first are read.
  const files = await records
    .selectFrom(
      records
        .selectFrom('source_commit_file')
        .select([
          'commit_id',
          'path',
          'change',
          sql<number>`row_number() OVER (PARTITION BY commit_id ORDER BY path)`.as('place'),
          sql<number>`count(*) OVER (PARTITION BY commit_id)`.as('count'),
        ])
        .where(
          'commit_id',
          'in',
          commits.map(({ id }) => id),
        )
        .as('numbered'),
    )
    .selectAll()
    .where('place', '<=', MAX_COMMIT_FILES_SHOWN)
    .orderBy('place')
    .execute()
  return commits.map((commit) => {
    const own = files.filter((file) => file.commit_id === commit.id)
    return {
      sha: commit.sha,
      repository: commit.repository,
      authorName: commit.author_name,
      authorEmail: commit.author_email,
      message: commit.message,
      atMs: commit.at_ms,
      files: own.map(({ path, change }) => ({ path, change })),
      fileCount: own[0]?.count ?? 0,
    }
  })
}

/** Uploaded for this release, newest first. */
export async function releaseBundles(
  { records }: Deps,
  { orgId, projectId }: Grant<'event:read' | 'project:read', 'project'>,
  version: string,
): Promise<readonly ReleaseBundle[]> {
  const rows = await records
    .selectFrom('artifact_bundle')
    .innerJoin('artifact_bundle_project', 'artifact_bundle_project.bundle_id', 'artifact_bundle.id')
    .leftJoin('artifact_file', 'artifact_file.bundle_id', 'artifact_bundle.id')
    .select([
      'artifact_bundle.id',
      'artifact_bundle.dist',
      'artifact_bundle.created_ms as createdMs',
      'artifact_bundle.last_used_ms as lastUsedMs',
      sql<number>`count(artifact_file.id)`.as('files'),
      countIf(sql`artifact_file.type = 'source_map'`).as('maps'),
      countIf(sql`artifact_file.problem <> ''`).as('problems'),
      sql<number>`coalesce(sum(artifact_file.bytes), 0)`.as('bytes'),
      sql<number>`coalesce(sum(artifact_file.stored_bytes), 0)`.as('storedBytes'),
    ])
    .where('artifact_bundle.org_id', '=', orgId)
    .where('artifact_bundle.release', '=', version)
    .where('artifact_bundle_project.project_id', '=', projectId)
    .groupBy('artifact_bundle.id')
    .orderBy('artifact_bundle.id', 'desc')
    .limit(MAX_BUNDLES)
    .execute()
  return rows.map(({ lastUsedMs, ...row }) => ({ ...row, lastUsedMs: lastUsedMs ?? undefined }))
}
