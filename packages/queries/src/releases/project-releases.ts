/** The list of a project's releases. */
import type { Grant } from '@sonde/access'
import type { QueryDeps } from '../query-deps.ts'
import { type ReleaseFacts, releaseFacts } from './release-facts.ts'
import { oneRelease, type OrderedRelease, orderedReleases } from './release-order.ts'

/** One release of a project, and what came before and after it. */
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
  const requested = { ...release, previous }
  const [factsOf, others] = await Promise.all([
    releaseFacts(deps, grant, [requested]),
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
    ...factsOf(requested),
    previous,
    next: index < 0 ? undefined : all[index - 1]?.version,
    otherProjects: others.map(({ slug }) => slug),
  }
}

/** By version where versions tell; by when it was first heard of; by its last event. The newest first. */
const RELEASE_ORDERS = ['version', 'created', 'last'] as const
export type ReleaseOrder = (typeof RELEASE_ORDERS)[number]

export type ProjectReleasesInput = {
  /** A part of the version, in any case; empty: all. */
  readonly query?: string | undefined
  readonly order?: ReleaseOrder | undefined
  /** Archived ones too. */
  readonly withArchived?: boolean | undefined
  /** From 1. */
  readonly page: number
  /** At most 200. */
  readonly limit: number
}
export type ProjectRelease = OrderedRelease & ReleaseFacts
export type ProjectReleases = {
  readonly rows: readonly ProjectRelease[]
  /** That match. */
  readonly total: number
  /** Of all that match but for being archived. */
  readonly archived: number
  /** False: the project has none at all. */
  readonly hasAny: boolean
}

/** Orders what `orderedReleases` reads, then looks up one page. */
export async function projectReleases(
  deps: Pick<QueryDeps, 'records'>,
  grant: Grant<'event:read' | 'project:read', 'project'>,
  { query = '', order = 'version', withArchived = false, page, limit }: ProjectReleasesInput,
): Promise<ProjectReleases> {
  const all = await orderedReleases(deps, grant)
  const wanted = query.toLowerCase()
  const matching = all.filter(({ version }) => version.toLowerCase().includes(wanted))
  const open = matching.filter(({ status }) => status === 'open')
  const shown = withArchived ? matching : open
  const sorted = order === 'version' ? shown : shown.toSorted((a, b) => timeOf(b, order) - timeOf(a, order))
  const rows = sorted.slice((page - 1) * limit, page * limit)
  const previousOf = previousIn(all)
  const requested = rows.map((row) => ({ ...row, previous: previousOf(row.version) }))
  const factsOf = await releaseFacts(deps, grant, requested)
  return {
    rows: requested.map(({ previous, ...row }) => ({ ...row, ...factsOf({ ...row, previous }) })),
    total: shown.length,
    archived: matching.length - open.length,
    hasAny: all.length > 0,
  }
}

/** The last event of what has none is before all others. */
const timeOf = (release: OrderedRelease, order: 'created' | 'last'): number =>
  order === 'created' ? release.firstSeenMs : (release.lastEventMs ?? 0)

/** The release before one, in an order that has the newest first. */
function previousIn(newestFirst: readonly OrderedRelease[]): (version: string) => string | undefined {
  const indexOf = new Map(newestFirst.map(({ version }, index) => [version, index]))
  return (version) => {
    const index = indexOf.get(version)
    return index === undefined ? undefined : newestFirst[index + 1]?.version
  }
}
