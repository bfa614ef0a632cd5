/** Which release had a file: by the names of what was uploaded with source maps, which the bundler's plugin does anyway. */
import type { Grant } from '@sonde/access'
import { projectIdsOf, type QueryDeps } from '../query-deps.ts'

export type FileRelease = {
  /** The last release that has it, by when files were uploaded. */
  readonly release: string
  /** The first that has it; the same where there is one. */
  readonly since: string
  /** The first release after it that has files and not this one; undefined: it is in the newest. */
  readonly removedIn: string | undefined
}

/** Newest first: a site that deploys often has hundreds, and what a tab misses is of the last weeks. */
const MAX_RELEASES = 200
const MAX_FILES = 2_000

/** By the last part of the address; files of no release are absent. Two reads by index. */
export async function fileReleases(
  deps: Pick<QueryDeps, 'records'>,
  grant: Grant<'event:read', 'org' | 'project'>,
  urls: readonly string[],
): Promise<ReadonlyMap<string, FileRelease>> {
  const names = [...new Set(urls.map(nameOf).filter((name) => name !== ''))]
  const projects = await projectIdsOf(deps, grant)
  if (names.length === 0 || projects.length === 0) return new Map()
  const bundles = () =>
    deps.records
      .selectFrom('artifact_bundle')
      .innerJoin('artifact_bundle_project', 'artifact_bundle_project.bundle_id', 'artifact_bundle.id')
      .where('artifact_bundle.org_id', '=', grant.orgId)
      .where('artifact_bundle_project.project_id', 'in', projects)
      .where('artifact_bundle.release', '!=', '')
  const [uploaded, files] = await Promise.all([
    bundles()
      .select(({ fn }) => ['artifact_bundle.release', fn.min('artifact_bundle.id').as('first')])
      .where('artifact_bundle.kind', '!=', 'debug_file')
      .groupBy('artifact_bundle.release')
      .orderBy('first', 'desc')
      .limit(MAX_RELEASES)
      .execute(),
    bundles()
      .innerJoin('artifact_file', 'artifact_file.bundle_id', 'artifact_bundle.id')
      .select(['artifact_bundle.release', 'artifact_file.built_name'])
      .distinct()
      .where('artifact_file.org_id', '=', grant.orgId)
      .where('artifact_file.built_name', 'in', names)
      .limit(MAX_FILES)
      .execute(),
  ])
  const order = uploaded.map(({ release }) => release).toReversed()
  const found = Map.groupBy(files, ({ built_name: name }) => name)
  return new Map(
    [...found].flatMap(([name, rows]) => {
      const places = rows.map(({ release }) => order.indexOf(release)).filter((place) => place >= 0)
      const last = Math.max(...places)
      const [release, since] = [order[last], order[Math.min(...places)]]
      if (release === undefined || since === undefined) return []
      return [[name, { release, since, removedIn: order[last + 1] }] as const]
    }),
  )
}

/** `/assets/app-4f2c.js?v=1` → `app-4f2c.js`; browsers write `[id].js` as `%5Bid%5D.js`. */
export function nameOf(url: string): string {
  const end = url.search(/[?#]/)
  const path = end < 0 ? url : url.slice(0, end)
  const name = path.slice(path.lastIndexOf('/') + 1)
  try {
    return decodeURIComponent(name)
  } catch {
    return name
  }
}
