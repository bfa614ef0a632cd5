/** "2.1 went out here": the lines on a chart. */
import type { QueryDeps } from '../query-deps.ts'
import { eventConditions } from '../search/event-conditions.ts'
import { environmentTerms } from '../search/event-search.ts'
import { deployMarkers } from './deploy-markers.ts'
import type { BucketWindow } from './intervals.ts'
import { MAX_MARKERS, type ReleaseMarker, withDeploys } from './marked-releases.ts'

/** Oldest first. Reads two narrow columns of every event of the projects: about 20 ms a million warm. */
export async function releaseMarkers(
  deps: Pick<QueryDeps, 'records' | 'telemetry'>,
  projectIds: readonly number[],
  { fromMs, toMs }: Pick<BucketWindow, 'fromMs' | 'toMs'>,
  environments: readonly string[] | undefined,
): Promise<readonly ReleaseMarker[]> {
  if (projectIds.length === 0) return []
  const condition = eventConditions(environmentTerms(environments))
  const [firstSeen, deploys] = await Promise.all([
    deps.telemetry.query<ReleaseMarker>(
      `SELECT release, toUnixTimestamp64Milli(min(timestamp)) AS atMs FROM events
       WHERE project_id IN {projects:Array(UInt32)} AND release != '' AND ${condition.sql}
       GROUP BY release
       HAVING atMs >= {from:Int64} AND atMs < {to:Int64}
       ORDER BY atMs DESC, release LIMIT {limit:UInt32}`,
      { ...condition.params, projects: projectIds, from: fromMs, to: toMs, limit: MAX_MARKERS },
    ),
    deployMarkers(deps, projectIds, { fromMs, toMs, environment: environments }),
  ])
  return withDeploys(firstSeen, deploys)
}
