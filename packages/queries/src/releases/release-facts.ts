/** What is known of releases beside their dates: counted for all of a page in one read each. */
import type { Grant } from '@sonde/access'
import { sql } from 'kysely'
import { HAS_EVENTS } from '../issues/issue-row.ts'
import type { QueryDeps } from '../query-deps.ts'
import type { OrderedRelease } from './release-order.ts'

export type ReleaseDeploy = {
  readonly environment: string
  readonly name: string | undefined
  readonly url: string | undefined
  readonly startedMs: number | undefined
  readonly finishedMs: number
}
export type ReleaseFacts = {
  /** The last one to each environment, newest first. */
  readonly deploys: readonly { readonly environment: string; readonly finishedMs: number }[]
  readonly commits: number
  /** Of bundles that were uploaded for it; undefined: none. Those that name no release are found by debug id alone. */
  readonly artifacts: { readonly files: number; readonly bytes: number } | undefined
  /** Issues of the project that were first seen in it, that it brought back, and that are resolved in it. */
  readonly issues: { readonly new: number; readonly regressed: number; readonly resolved: number }
}

type Deps = Pick<QueryDeps, 'records'>
type Requested = Pick<OrderedRelease, 'id' | 'version'> & {
  /** The release before, in the order of the project: what is resolved in the one after that is resolved in this. */
  readonly previous: string | undefined
}

/** At most a few hundred releases; each of the reads goes by an index. */
export async function releaseFacts(
  deps: Deps,
  grant: Grant<'event:read' | 'project:read', 'project'>,
  releases: readonly Requested[],
): Promise<(release: Requested) => ReleaseFacts> {
  if (releases.length === 0) return () => NOTHING
  const ids = releases.map(({ id }) => id)
  const versions = releases.map(({ version }) => version)
  const [deploys, commits, artifacts, issues] = await Promise.all([
    deploysOf(deps, grant, ids),
    commitsOf(deps, ids),
    artifactsOf(deps, grant, versions),
    issuesOf(deps, grant, releases),
  ])
  return (release) => ({
    deploys: deploys
      .filter(({ releaseId }) => releaseId === release.id)
      .map(({ environment, finishedMs }) => ({ environment, finishedMs })),
    commits: commits.find(({ releaseId }) => releaseId === release.id)?.count ?? 0,
    artifacts: artifacts.find(({ version }) => version === release.version),
    issues: issues(release),
  })
}

const NOTHING: ReleaseFacts = {
  deploys: [],
  commits: 0,
  artifacts: undefined,
  issues: { new: 0, regressed: 0, resolved: 0 },
}

const deploysOf = (
  { records }: Deps,
  { projectId }: Grant<'event:read' | 'project:read', 'project'>,
  ids: readonly number[],
) =>
  records
    .selectFrom('deploy')
    .select(['release_id as releaseId', 'environment', sql<number>`max(finished_ms)`.as('finishedMs')])
    .where('release_id', 'in', ids)
    .where(({ exists, not, or, selectFrom }) => {
      const named = selectFrom('deploy_project').whereRef('deploy_id', '=', 'deploy.id').select('deploy_id')
      return or([not(exists(named)), exists(named.where('project_id', '=', projectId))])
    })
    .groupBy(['release_id', 'environment'])
    .orderBy('finishedMs', 'desc')
    .execute()

const commitsOf = ({ records }: Deps, ids: readonly number[]) =>
  records
    .selectFrom('release_commit')
    .select(['release_id as releaseId', sql<number>`count(*)`.as('count')])
    .where('release_id', 'in', ids)
    .groupBy('release_id')
    .execute()

const artifactsOf = (
  { records }: Deps,
  { orgId, projectId }: Grant<'event:read' | 'project:read', 'project'>,
  versions: readonly string[],
) =>
  records
    .selectFrom('artifact_bundle')
    .innerJoin('artifact_bundle_project', 'artifact_bundle_project.bundle_id', 'artifact_bundle.id')
    .innerJoin('artifact_file', 'artifact_file.bundle_id', 'artifact_bundle.id')
    .select([
      'artifact_bundle.release as version',
      sql<number>`count(*)`.as('files'),
      sql<number>`sum(artifact_file.bytes)`.as('bytes'),
    ])
    .where('artifact_bundle.org_id', '=', orgId)
    .where('artifact_bundle.release', 'in', versions)
    .where('artifact_bundle_project.project_id', '=', projectId)
    .groupBy('artifact_bundle.release')
    .execute()

async function issuesOf(
  { records }: Deps,
  { projectId }: Grant<'event:read' | 'project:read', 'project'>,
  releases: readonly Requested[],
) {
  const versions = releases.map(({ version }) => version)
  const before = releases.flatMap(({ previous }) => (previous === undefined ? [] : [previous]))
  const counted = (
    column: 'first_release' | 'regressed_release' | 'resolved_release',
    values: readonly string[],
  ) =>
    records
      .selectFrom('issue')
      .select([`${column} as version`, sql<number>`count(*)`.as('count')])
      .where('project_id', '=', projectId)
      .where(column, 'in', values)
      // Said for the engine: the index is of these rows only.
      .where(column, '<>', '')
      .where(HAS_EVENTS)
      .groupBy(column)
  const [fresh, regressed, resolved, resolvedAfter] = await Promise.all([
    counted('first_release', versions).execute(),
    counted('regressed_release', versions).execute(),
    counted('resolved_release', versions)
      .where('status', '=', 'resolved')
      .where('resolved_in', '=', 'release')
      .execute(),
    before.length === 0
      ? []
      : counted('resolved_release', before)
          .where('status', '=', 'resolved')
          .where('resolved_in', '=', 'next_release')
          .execute(),
  ])
  const countOf = (rows: typeof fresh, version: string | undefined): number =>
    rows.find((row) => row.version === version)?.count ?? 0
  return ({ version, previous }: Requested): ReleaseFacts['issues'] => ({
    new: countOf(fresh, version),
    regressed: countOf(regressed, version),
    resolved: countOf(resolved, version) + countOf(resolvedAfter, previous),
  })
}
