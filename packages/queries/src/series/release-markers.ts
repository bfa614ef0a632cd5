/** "2.1 went out here": the lines on a chart. */
import type { QueryDeps } from '../query-deps.ts'
import { eventConditions } from '../search/event-conditions.ts'
import { environmentTerms } from '../search/event-search.ts'
import { deployMarkers } from './deploy-markers.ts'
import type { BucketWindow } from './intervals.ts'
import { firstSeenReleases, type ReleaseRows } from './first-seen-releases.ts'
import { type ReleaseMarker, withDeploys } from './marked-releases.ts'

/** Oldest first. Reads two narrow columns of every event of the projects: about 20 ms a million warm. */
export async function releaseMarkers(
  deps: Pick<QueryDeps, 'records' | 'telemetry'>,
  projectIds: readonly number[],
  { fromMs, toMs }: Pick<BucketWindow, 'fromMs' | 'toMs'>,
  environments: readonly string[] | undefined,
): Promise<readonly ReleaseMarker[]> {
  if (projectIds.length === 0) return []
  const condition = eventConditions(environmentTerms(environments))
  const rows: ReleaseRows = {
    table: 'events',
    sql: `project_id IN {projects:Array(UInt32)} AND ${condition.sql}`,
    params: { ...condition.params, projects: projectIds },
  }
  const [firstSeen, deploys] = await Promise.all([
    firstSeenReleases(deps.telemetry, rows, { fromMs, toMs }),
    deployMarkers(deps, projectIds, { fromMs, toMs, environment: environments }),
  ])
  return withDeploys(firstSeen, deploys)
}
