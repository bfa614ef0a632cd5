/** The release that an overview is about: the one that was deployed last, or whose data began last. */
import type { Grant } from '@sonde/access'
import type { QueryDeps } from '../query-deps.ts'
import { projectRelease, type ReleaseDetail } from '../releases/project-releases.ts'
import { orderedReleases } from '../releases/release-order.ts'

export type NewestRelease = ReleaseDetail & {
  /** Its last deploy, else its first event. */
  readonly beganMs: number
}

/** Of these one is the newest, however deployments went back and forth. */
const CANDIDATES = 50

/**
 * Undefined: nothing came that names a release. With environments only deploys to these count. Reads the project's releases
 * twice along an index, at most 2,000, and the deploys of fifty.
 */
export async function newestRelease(
  deps: Pick<QueryDeps, 'records'>,
  grant: Grant<'event:read', 'project'>,
  { environment = [] }: { readonly environment?: readonly string[] } = {},
): Promise<NewestRelease | undefined> {
  const all = await orderedReleases(deps, grant)
  // One that was only made is not what people use.
  const used = all.flatMap(({ id, version, status, firstEventMs }) =>
    status === 'open' && firstEventMs !== undefined ? [{ id, version, firstEventMs }] : [],
  )
  const recent = used.toSorted((a, b) => b.firstEventMs - a.firstEventMs).slice(0, CANDIDATES)
  if (recent.length === 0) return undefined
  const deploys = await deps.records
    .selectFrom('deploy')
    .select(({ fn }) => ['release_id as releaseId', fn.max<number>('finished_ms').as('finishedMs')])
    .where(
      'release_id',
      'in',
      recent.map(({ id }) => id),
    )
    .where(({ exists, not, or, selectFrom }) => {
      const named = selectFrom('deploy_project').whereRef('deploy_id', '=', 'deploy.id').select('deploy_id')
      return or([not(exists(named)), exists(named.where('project_id', '=', grant.projectId))])
    })
    .$if(environment.length > 0, (query) => query.where('environment', 'in', environment))
    .groupBy('release_id')
    .execute()
  // Where one asks for an environment, what was never deployed there is not what people use there.
  const isDeployed = environment.length > 0 && deploys.length > 0
  const shown = isDeployed
    ? recent.filter(({ id }) => deploys.some(({ releaseId }) => releaseId === id))
    : recent
  const began = shown.map(({ id, version, firstEventMs }) => ({
    version,
    beganMs: deploys.find(({ releaseId }) => releaseId === id)?.finishedMs ?? firstEventMs,
  }))
  const [newest] = began.toSorted((a, b) => b.beganMs - a.beganMs)
  const release = newest && (await projectRelease(deps, grant, newest.version))
  return release && { ...release, beganMs: newest.beganMs }
}
