/** Where releases were deployed, for charts. */
import type { QueryParams, Telemetry } from '@sonde/stores'
import type { QueryDeps } from '../query-deps.ts'
import { environmentTerms, eventConditions } from '../search/event-search.ts'
import type { BucketWindow } from './intervals.ts'

/** What stands on a chart where a release came: its deploy, or when it was first seen. Pure. */
export type ReleaseMarker = {
  readonly release: string
  /** Unix milliseconds: of the deploy, else of the first row that carried the release among what retention has kept. */
  readonly atMs: number
  /** The environment; absent: nobody told a deploy, it was first seen then. */
  readonly deployedTo?: string
}

/** More lines than this hide the chart; the newest are kept. */
export const MAX_MARKERS = 40

/**
 * Oldest first. Of a release that was deployed meanwhile its deploys are shown and not when it was first seen: that is
 * the same again, a moment later.
 */
export function withDeploys(
  firstSeen: readonly ReleaseMarker[],
  deploys: readonly ReleaseMarker[],
): readonly ReleaseMarker[] {
  const reported = new Set(deploys.map(({ release }) => release))
  return [...firstSeen.filter(({ release }) => !reported.has(release)), ...deploys]
    .toSorted((a, b) => a.atMs - b.atMs || (a.release < b.release ? -1 : 1))
    .slice(-MAX_MARKERS)
}

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

// "2.1 went out here": the lines on a chart.

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

// When releases were first seen among stored rows.

/** Rows by a condition of the caller's: it narrows to projects, and may reach back before the window. */
type ReleaseRows = {
  readonly table: 'events' | 'spans' | 'vitals'
  readonly sql: string
  readonly params: QueryParams
}

/** Those whose first row of all that are looked at lies in `[fromMs, toMs)`: at most `MAX_MARKERS`, newest first. */
export function firstSeenReleases(
  telemetry: Pick<Telemetry, 'query'>,
  { table, sql, params }: ReleaseRows,
  { fromMs, toMs }: { readonly fromMs: number; readonly toMs: number },
): Promise<readonly ReleaseMarker[]> {
  return telemetry.query<ReleaseMarker>(
    `SELECT release, toUnixTimestamp64Milli(min(timestamp)) AS atMs FROM ${table}
     WHERE ${sql} AND release != ''
     GROUP BY release
     HAVING atMs >= {seenFrom:Int64} AND atMs < {seenTo:Int64}
     ORDER BY atMs DESC, release LIMIT {markers:UInt32}`,
    { ...params, seenFrom: fromMs, seenTo: toMs, markers: MAX_MARKERS },
  )
}
