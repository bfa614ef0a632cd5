/** One release of a project, and what came before and after it. */
import type { Grant } from '@sonde/access'
import type { QueryDeps } from '../query-deps.ts'
import { type ReleaseFacts, releaseFacts } from './release-facts.ts'
import { oneRelease, type OrderedRelease, orderedReleases } from './release-order.ts'

export type ReleaseDetail = OrderedRelease &
  ReleaseFacts & {
    /** Their versions, in the order of the project; undefined too for one that is too old to have a place in it. */
    readonly previous: string | undefined
    readonly next: string | undefined
    /** Slugs of other projects that have it, at most ten. */
    readonly otherProjects: readonly string[]
  }

const MAX_OTHER_PROJECTS = 10

/** Undefined: the project has no such release. */
export async function projectRelease(
  deps: Pick<QueryDeps, 'records'>,
  grant: Grant<'event:read' | 'project:read', 'project'>,
  version: string,
): Promise<ReleaseDetail | undefined> {
  const all = await orderedReleases(deps, grant)
  const index = all.findIndex((each) => each.version === version)
  const release = all[index] ?? (await oneRelease(deps, grant, version))
  if (!release) return undefined
  const previous = index < 0 ? undefined : all[index + 1]?.version
  const asked = { ...release, previous }
  const [factsOf, others] = await Promise.all([
    releaseFacts(deps, grant, [asked]),
    deps.records
      .selectFrom('release_project')
      .innerJoin('project', 'project.id', 'release_project.project_id')
      .select('project.slug')
      .where('release_project.release_id', '=', release.id)
      .where('project.id', '!=', grant.projectId)
      .orderBy('project.slug')
      .limit(MAX_OTHER_PROJECTS)
      .execute(),
  ])
  return {
    ...release,
    ...factsOf(asked),
    previous,
    next: index < 0 ? undefined : all[index - 1]?.version,
    otherProjects: others.map(({ slug }) => slug),
  }
}
