/**
 * Which builds of a site run in people's tabs, and since when: by the navigation recorder, by tabs that tell they are open,
 * and by what every SDK sends of a page. Nobody has to say when something was deployed.
 */
import type { Grant } from '@sonde/access'
import { navigationConditions, type NavigationFilter } from '../performance/navigation-filter.ts'
import { performanceConditions } from '../performance/performance-filter.ts'
import type { QueryDeps } from '../query-deps.ts'
import { BROWSER_SESSIONS_SQL, type Build, PAGE_SEGMENTS_SQL, type SeenBuild } from './build.ts'
import { servedBuilds } from './served-builds.ts'

/** A build that is older than this when the window begins is as old as can be told. */
const BEFORE_MS = 30 * 86_400_000
const MAX_BUILDS_IN_USE = 100

/**
 * Served last first, of every release: a filter by release, browser or device does not change when something was deployed. Not
 * FINAL: a row that was replaced has the same build, at the same time. Read in part, a build is first seen a little later.
 */
export async function buildsInUse(
  deps: Pick<QueryDeps, 'records' | 'telemetry'>,
  grant: Grant<'event:read', 'org' | 'project'>,
  { fromMs, toMs, environment, part }: NavigationFilter,
): Promise<Build[]> {
  const filter = { fromMs: Math.max(0, fromMs - BEFORE_MS), toMs, ...(environment && { environment }) }
  const [navigations, where] = await Promise.all([
    navigationConditions(deps, grant, { ...filter, part }),
    performanceConditions(deps, grant, filter),
  ])
  if (navigations === undefined || where === undefined) return []
  const sources = [
    `SELECT build, environment, min(timestamp) AS first, max(timestamp) AS last, 0 AS told
     FROM navigations WHERE ${navigations.sql} AND build != '' GROUP BY build, environment`,
    // What a page told before is replaced, so its beginning counts.
    `SELECT build, environment, min(greatest(started, {from:DateTime64(3)})) AS first, max(timestamp) AS last, 1 AS told
     FROM tabs WHERE ${where.sql} AND build != '' GROUP BY build, environment`,
    `SELECT release AS build, environment, toDateTime64(min(timestamp), 3, 'UTC') AS first,
       toDateTime64(max(timestamp), 3, 'UTC') AS last, 0 AS told
     FROM spans WHERE ${where.sql} AND ${PAGE_SEGMENTS_SQL} GROUP BY build, environment`,
    `SELECT release AS build, environment, min(started) AS first, max(started) AS last, 0 AS told
     FROM sessions WHERE ${where.sql.replaceAll('timestamp', 'started')} AND ${BROWSER_SESSIONS_SQL} GROUP BY build, environment`,
  ]
  const seen = await deps.telemetry.query<SeenBuild>(
    `SELECT build, environment, toUnixTimestamp64Milli(min(first)) AS firstMs, toUnixTimestamp64Milli(max(last)) AS lastMs,
       toBool(max(told)) AS tellsTabs
     FROM (${sources.join('\nUNION ALL ')})
     GROUP BY build, environment ORDER BY firstMs DESC, build LIMIT ${MAX_BUILDS_IN_USE}`,
    { ...where.params, ...navigations.params },
  )
  const served = await servedBuilds(deps, grant, seen, filter)
  return served.toSorted((a, b) => b.servedMs - a.servedMs)
}
