/** Which builds of the site run in people's tabs, and since when. */
import type { Grant } from '@sonde/access'
import type { QueryDeps } from '../query-deps.ts'
import { navigationConditions, type NavigationFilter } from './navigation-filter.ts'

export type Build = {
  /** Of the navigation recorder: the release, or the name of the entry script. */
  readonly build: string
  readonly environment: string
  readonly firstMs: number
  readonly lastMs: number
}

/** A build that is older than this when the window begins is as old as can be told. */
const BEFORE_MS = 30 * 86_400_000
const MAX_BUILDS = 100

/**
 * Newest first, of every release: a filter by release, browser or device does not change when something was deployed. Not
 * FINAL: a row that was replaced has the same build, at the same time. Read in part, a build is first seen a little later.
 */
export async function buildsInUse(
  deps: Pick<QueryDeps, 'records' | 'telemetry'>,
  grant: Grant<'event:read', 'org' | 'project'>,
  { fromMs, toMs, environment, part }: NavigationFilter,
): Promise<Build[]> {
  const where = await navigationConditions(deps, grant, {
    fromMs: Math.max(0, fromMs - BEFORE_MS),
    toMs,
    part,
    ...(environment && { environment }),
  })
  if (where === undefined) return []
  return deps.telemetry.query<Build>(
    `SELECT build, environment, toUnixTimestamp64Milli(min(timestamp)) AS firstMs,
       toUnixTimestamp64Milli(max(timestamp)) AS lastMs
     FROM navigations WHERE ${where.sql} AND build != ''
     GROUP BY build, environment ORDER BY firstMs DESC, build LIMIT ${MAX_BUILDS}`,
    where.params,
  )
}
