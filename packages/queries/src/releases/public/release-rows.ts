/** Releases as `/api/0` shows them: of a whole organization, or what one project knows of them. */
import type { Grant } from '@sonde/access'
import type { RecordsSchema } from '@sonde/stores'
import type { Kysely } from 'kysely'
import { projectIdsOf, type QueryDeps } from '../../query-deps.ts'
import { releasesWithSessions } from '../../sessions/session-statistics.ts'
import { type CommitRow, lastCommits } from './commits-of-release.ts'
import type { KnownRelease } from './list-releases.ts'

export type ReleaseRow = KnownRelease & {
  readonly url: string | undefined
  readonly startedMs: number | undefined
  /** When it was finalised. */
  readonly releasedMs: number | undefined
  readonly commitCount: number
  readonly deployCount: number
  /** Of any environment, the latest. */
  readonly lastDeploy: DeployRow | undefined
  /** The newest of its commits; of a release that only names ranges, the end of one. */
  readonly lastCommit: CommitRow | undefined
  /** Those of the grant, in slug order. */
  readonly projects: readonly ReleaseProject[]
}

export type ReleaseProject = {
  readonly id: number
  readonly slug: string
  readonly name: string
  readonly platform: string
  /** Issues whose first release it is. */
  readonly newIssues: number
  /** It told a session of the release. */
  readonly hasSessions: boolean
}

/** The same order as given, at most 100. */
export async function releaseRows(
  deps: Pick<QueryDeps, 'records' | 'telemetry'>,
  grant: Grant<'event:read' | 'project:read', 'org' | 'project'>,
  releases: readonly KnownRelease[],
): Promise<ReleaseRow[]> {
  if (releases.length === 0) return []
  const ids = releases.map(({ id }) => id)
  const projectIds = await projectIdsOf(deps, grant)
  const details = await deps.records.selectFrom('release').selectAll().where('id', 'in', ids).execute()
  const detailOf = new Map(details.map((row) => [row.id, row]))
  const countsOf = await releaseCounts(deps, projectIds, releases)
  const projects = await projectsOf(deps, projectIds, ids)
  const versionOf = new Map(releases.map(({ id, version }) => [id, version]))
  const asked = projects.map(({ id, release_id }) => ({
    projectId: id,
    release: versionOf.get(release_id) ?? '',
  }))
  const hasSessions = await releasesWithSessions(deps, asked)
  const deploys = await lastDeploys(deps, projectIds, ids)
  const commits = await lastCommits(deps, ids)
  return releases.map((release): ReleaseRow => {
    const detail = detailOf.get(release.id)
    const { newIssues, ...counts } = countsOf(release)
    return {
      ...release,
      ...counts,
      url: detail?.url ?? undefined,
      startedMs: detail?.date_started_ms ?? undefined,
      releasedMs: detail?.date_released_ms ?? undefined,
      lastDeploy: deploys.get(release.id),
      lastCommit: commits.get(release.id),
      projects: projects
        .filter((project) => project.release_id === release.id)
        .map(({ id, slug, name, platform }) => ({
          id,
          slug,
          name,
          platform,
          newIssues: newIssues.get(id) ?? 0,
          hasSessions: hasSessions(id, release.version),
        })),
    }
  })
}

const projectsOf = (
  { records }: Pick<QueryDeps, 'records'>,
  projectIds: readonly number[],
  releaseIds: readonly number[],
) =>
  records
    .selectFrom('release_project')
    .innerJoin('project', 'project.id', 'release_project.project_id')
    .select(['release_id', 'project.id', 'slug', 'name', 'platform'])
    .where('release_id', 'in', releaseIds)
    .where('release_project.project_id', 'in', projectIds)
    .orderBy('slug')
    .execute()

/** What is counted for the releases of one page, in one read of an index each. */
type ReleaseCounts = {
  readonly commitCount: number
  readonly deployCount: number
  /** Issues whose first release it is, by project. */
  readonly newIssues: ReadonlyMap<number, number>
}

/** At most 100 releases. */
async function releaseCounts(
  { records }: Pick<QueryDeps, 'records'>,
  projectIds: readonly number[],
  releases: readonly KnownRelease[],
): Promise<(release: KnownRelease) => ReleaseCounts> {
  const [commits, deploys, issues] = [
    await countBy(records, 'release_commit', releases),
    await countBy(records, 'deploy', releases),
    await records
      .selectFrom('issue')
      .select(['first_release', 'project_id'])
      .select(({ fn }) => fn.countAll<number>().as('n'))
      .where('project_id', 'in', projectIds)
      .where(
        'first_release',
        'in',
        releases.map(({ version }) => version),
      )
      // Said for the engine: the index holds no others.
      .where('first_release', '<>', '')
      .where('event_count', '>', 0)
      .groupBy(['first_release', 'project_id'])
      .execute(),
  ]
  return ({ id, version }) => ({
    commitCount: commits.get(id) ?? 0,
    deployCount: deploys.get(id) ?? 0,
    newIssues: new Map(
      issues.filter((row) => row.first_release === version).map((row) => [row.project_id, row.n]),
    ),
  })
}

async function countBy(
  records: Kysely<RecordsSchema>,
  table: 'release_commit' | 'deploy',
  releases: readonly KnownRelease[],
): Promise<ReadonlyMap<number, number>> {
  const rows = await records
    .selectFrom(table)
    .select('release_id')
    .select(({ fn }) => fn.countAll<number>().as('n'))
    .where(
      'release_id',
      'in',
      releases.map(({ id }) => id),
    )
    .groupBy('release_id')
    .execute()
  return new Map(rows.map((row) => [row.release_id, row.n]))
}

/** Where releases were put, and when. */
export type DeployRow = {
  readonly id: number
  readonly version: string
  readonly environment: string
  readonly name: string | undefined
  readonly url: string | undefined
  readonly startedMs: number | undefined
  readonly finishedMs: number
}

const selectDeploys = ({ records }: Pick<QueryDeps, 'records'>, projectIds: readonly number[]) =>
  records
    .selectFrom('deploy')
    .innerJoin('release', 'release.id', 'deploy.release_id')
    .selectAll('deploy')
    .select('release.version')
    .where('deploy.id', 'in', (eb) =>
      eb.selectFrom('deploy_project').select('deploy_id').where('project_id', 'in', projectIds),
    )
type Selected = Awaited<ReturnType<ReturnType<typeof selectDeploys>['execute']>>[number]

const deployRow = (row: Selected): DeployRow => ({
  id: row.id,
  version: row.version,
  environment: row.environment,
  name: row.name ?? undefined,
  url: row.url ?? undefined,
  startedMs: row.started_ms ?? undefined,
  finishedMs: row.finished_ms,
})

const MAX_DEPLOYS = 100

/** Of one release, newest first. */
export async function deploysOfRelease(
  deps: Pick<QueryDeps, 'records'>,
  grant: Grant<'event:read' | 'project:read', 'org' | 'project'>,
  version: string,
): Promise<readonly DeployRow[]> {
  const rows = await selectDeploys(deps, await projectIdsOf(deps, grant))
    .where('release.org_id', '=', grant.orgId)
    .where('release.version', '=', version)
    .orderBy('deploy.finished_ms', 'desc')
    .orderBy('deploy.id', 'desc')
    .limit(MAX_DEPLOYS)
    .execute()
  return rows.map(deployRow)
}

/** The latest of each release. */
async function lastDeploys(
  deps: Pick<QueryDeps, 'records'>,
  projectIds: readonly number[],
  releaseIds: readonly number[],
): Promise<ReadonlyMap<number, DeployRow>> {
  const rows = await selectDeploys(deps, projectIds)
    .where('release_id', 'in', releaseIds)
    .orderBy('deploy.finished_ms')
    .orderBy('deploy.id')
    .execute()
  return new Map(rows.map((row) => [row.release_id, deployRow(row)]))
}
