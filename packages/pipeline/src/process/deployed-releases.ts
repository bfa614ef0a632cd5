/** Which release is deployed in each environment of each project, as far as deployments were told. */
import type { Records } from '@sonde/stores'
import type { DeployedReleases } from '../noise/superseded.ts'

const DAY_MS = 86_400_000
/** A tab that is still open after so long is of no build that anybody remembers. */
const WITHIN_MS = 30 * DAY_MS
// Of all projects, the last ones: so that looking once a minute costs a few milliseconds.
const MAX_DEPLOYS = 5_000
/** Previews have an environment each. */
const MAX_ENVIRONMENTS = 20

/** By project id, in a fixed order. Reads at most the newest 5,000 deployments, by `deploy_by_time`. */
export async function readDeployedReleases(
  records: Records,
  nowMs: number,
): Promise<Readonly<Record<string, DeployedReleases>>> {
  const rows = await records
    .selectFrom('deploy')
    .innerJoin('deploy_project', 'deploy_project.deploy_id', 'deploy.id')
    .innerJoin('release', 'release.id', 'deploy.release_id')
    .select(['deploy_project.project_id', 'deploy.environment', 'deploy.finished_ms', 'release.version'])
    .where('deploy.finished_ms', '>', nowMs - WITHIN_MS)
    .where('deploy.finished_ms', '<=', nowMs)
    .orderBy('deploy.finished_ms', 'desc')
    .orderBy('deploy.id', 'desc')
    .limit(MAX_DEPLOYS)
    .execute()
  const projects = new Map<number, Map<string, { version: string; sinceMs: number; isOver: boolean }>>()
  for (const { project_id: projectId, environment, finished_ms: atMs, version } of rows) {
    const environments = projects.get(projectId) ?? new Map()
    projects.set(projectId, environments)
    const newest = environments.get(environment)
    if (newest) {
      // Deployed again it is still what it was; what was there before it ends that.
      if (newest.version !== version) newest.isOver = true
      else if (!newest.isOver) newest.sinceMs = atMs
    } else if (environments.size < MAX_ENVIRONMENTS)
      environments.set(environment, { version, sinceMs: atMs, isOver: false })
  }
  return Object.fromEntries(
    [...projects]
      .toSorted(([a], [b]) => a - b)
      .map(([projectId, environments]) => [
        projectId,
        Object.fromEntries(
          [...environments]
            .toSorted(([a], [b]) => (a < b ? -1 : 1))
            .map(([name, { version, sinceMs }]) => [name, { version, sinceMs }]),
        ),
      ]),
  )
}
