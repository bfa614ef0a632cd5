/** Where releases were deployed, for charts. */
import type { QueryDeps } from '../query-deps.ts'
import { MAX_MARKERS, type ReleaseMarker } from './marked-releases.ts'

export type DeployWindow = {
  /** Unix milliseconds; `toMs` is exclusive. */
  readonly fromMs: number
  readonly toMs: number
  /** Only to these; absent and empty mean all. */
  readonly environment?: readonly string[] | undefined
}

/**
 * The newest of the window, at most `MAX_MARKERS`, newest first. A deploy that names no project is one of all projects of
 * its release.
 */
export async function deployMarkers(
  { records }: Pick<QueryDeps, 'records'>,
  projectIds: readonly number[],
  { fromMs, toMs, environment = [] }: DeployWindow,
): Promise<readonly ReleaseMarker[]> {
  if (projectIds.length === 0) return []
  const deploys = records
    .selectFrom('deploy')
    .innerJoin('release', 'release.id', 'deploy.release_id')
    .select(['release.version as release', 'deploy.finished_ms as atMs', 'deploy.environment as deployedTo'])
    .where('deploy.finished_ms', '>=', fromMs)
    .where('deploy.finished_ms', '<', toMs)
    .where(({ and, exists, not, or, selectFrom }) => {
      const named = selectFrom('deploy_project')
        .whereRef('deploy_project.deploy_id', '=', 'deploy.id')
        .select('deploy_id')
      return or([
        exists(named.where('deploy_project.project_id', 'in', projectIds)),
        and([
          not(exists(named)),
          exists(
            selectFrom('release_project')
              .whereRef('release_project.release_id', '=', 'deploy.release_id')
              .where('release_project.project_id', 'in', projectIds)
              .select('release_project.release_id'),
          ),
        ]),
      ])
    })
    .orderBy('deploy.finished_ms', 'desc')
    .orderBy('deploy.id', 'desc')
    .limit(MAX_MARKERS)
  return (
    environment.length === 0 ? deploys : deploys.where('deploy.environment', 'in', environment)
  ).execute()
}
