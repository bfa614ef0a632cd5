/** Where releases were put, and when. */
import type { Grant } from '@sonde/access'
import { projectIdsOf, type QueryDeps } from '../../query-deps.ts'

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
    .orderBy('finished_ms', 'desc')
    .orderBy('deploy.id', 'desc')
    .limit(MAX_DEPLOYS)
    .execute()
  return rows.map(deployRow)
}

/** The latest of each release. */
export async function lastDeploys(
  deps: Pick<QueryDeps, 'records'>,
  projectIds: readonly number[],
  releaseIds: readonly number[],
): Promise<ReadonlyMap<number, DeployRow>> {
  const rows = await selectDeploys(deps, projectIds)
    .where('release_id', 'in', releaseIds)
    .orderBy('finished_ms')
    .orderBy('deploy.id')
    .execute()
  return new Map(rows.map((row) => [row.release_id, deployRow(row)]))
}
