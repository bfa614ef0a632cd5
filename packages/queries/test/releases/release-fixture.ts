/** Releases as builds and the pipeline leave them, with only what a test is about said. */
import { type Harness, NOW_MS, type ProjectGrant } from '../harness.ts'

export type GivenRelease = {
  readonly version: string
  readonly projects: readonly ProjectGrant[]
  readonly status?: 'open' | 'archived'
  readonly createdMs?: number
  readonly firstEventMs?: number
  readonly lastEventMs?: number
  readonly deploys?: readonly {
    readonly to: string
    readonly atMs: number
    readonly projects?: readonly number[]
  }[]
  readonly commits?: readonly GivenCommit[]
  readonly bundles?: readonly GivenBundle[]
}
export type GivenCommit = {
  readonly sha: string
  readonly author?: string
  readonly message?: string
  readonly atMs?: number
  readonly files?: readonly string[]
}
export type GivenBundle = {
  readonly projects: readonly number[]
  readonly lastUsedMs?: number
  readonly files: readonly { readonly bytes: number; readonly problem?: string; readonly isMap?: boolean }[]
}

export function releaseFixture({ db }: Pick<Harness, 'db'>, orgId: number) {
  const commit = async (given: GivenCommit): Promise<number> => {
    const known = await db
      .selectFrom('source_commit')
      .select('id')
      .where('sha', '=', given.sha)
      .executeTakeFirst()
    if (known) return known.id
    const { id } = await db
      .insertInto('source_commit')
      .values({
        org_id: orgId,
        repository: 'acme/shop',
        sha: given.sha,
        author_name: given.author ?? 'Ada',
        author_email: 'ada@acme.test',
        message: given.message ?? given.sha,
        at_ms: given.atMs ?? NOW_MS,
      })
      .returning('id')
      .executeTakeFirstOrThrow()
    for (const path of given.files ?? [])
      await db.insertInto('source_commit_file').values({ commit_id: id, path, change: 'M' }).execute()
    return id
  }
  const bundle = async (release: string, { projects, lastUsedMs, files }: GivenBundle): Promise<void> => {
    const { id } = await db
      .insertInto('artifact_bundle')
      .values({
        org_id: orgId,
        kind: 'bundle',
        checksum: '',
        debug_id: '',
        release,
        dist: '',
        actor: '',
        created_ms: NOW_MS,
        last_used_ms: lastUsedMs ?? null,
      })
      .returning('id')
      .executeTakeFirstOrThrow()
    for (const project_id of projects)
      await db.insertInto('artifact_bundle_project').values({ bundle_id: id, project_id }).execute()
    for (const [index, { bytes, problem = '', isMap = false }] of files.entries())
      await db
        .insertInto('artifact_file')
        .values({
          bundle_id: id,
          org_id: orgId,
          type: isMap ? 'source_map' : 'minified_source',
          url: `~/${index}.js`,
          debug_id: '',
          map_ref: '',
          headers: '{}',
          blob: `${id}-${index}`,
          bytes,
          stored_bytes: Math.round(bytes / 4),
          sha1: '',
          problem,
          problem_detail: '',
          created_ms: NOW_MS,
        })
        .execute()
  }
  return async (given: GivenRelease): Promise<number> => {
    const { id } = await db
      .insertInto('release')
      .values({
        org_id: orgId,
        version: given.version,
        status: given.status ?? 'open',
        created_ms: given.createdMs ?? NOW_MS,
      })
      .returning('id')
      .executeTakeFirstOrThrow()
    for (const { projectId } of given.projects)
      await db
        .insertInto('release_project')
        .values({
          release_id: id,
          project_id: projectId,
          first_event_ms: given.firstEventMs ?? null,
          last_event_ms: given.lastEventMs ?? null,
        })
        .execute()
    for (const { to, atMs, projects = [] } of given.deploys ?? []) {
      const deploy = await db
        .insertInto('deploy')
        .values({ release_id: id, environment: to, finished_ms: atMs })
        .returning('id')
        .executeTakeFirstOrThrow()
      for (const project_id of projects)
        await db.insertInto('deploy_project').values({ deploy_id: deploy.id, project_id }).execute()
    }
    for (const [position, each] of (given.commits ?? []).entries())
      await db
        .insertInto('release_commit')
        .values({ release_id: id, position, commit_id: await commit(each) })
        .execute()
    for (const each of given.bundles ?? []) await bundle(given.version, each)
    return id
  }
}
