/** What became of tabs that could not load code: whether they came through the deployment, and how. */
import type { Grant } from '@sonde/access'
import type { NavigationFilter } from '../performance/navigation-filter.ts'
import { performanceConditions } from '../performance/performance-filter.ts'
import type { QueryDeps } from '../query-deps.ts'
import { PAGE_SEGMENTS_SQL } from './build.ts'
import { chunkRows } from './chunk-rows.ts'

const TAB_OUTCOMES = [
  /** The file came at a later try, and the page went on. */
  'recovered',
  /** A page load of another build followed in the same tab, or of the same person. */
  'reloaded',
  /** Three page loads or more, each within a minute of the one before, and all of them failed. */
  'looped',
  /** Failed, and nothing better was seen of it. */
  'stuck',
  /** Nobody says which tab or person it was: what followed cannot be found. */
  'unknown',
] as const
export type TabOutcome = (typeof TAB_OUTCOMES)[number]

export type ChunkOutcomes = {
  readonly build: string
  readonly environment: string
  readonly outcomes: { readonly [Outcome in TabOutcome]?: number }
}

/** As many reloads are no accident. */
const LOOP = 3
const LOOP_WITHIN_MS = 60_000

/**
 * By build and environment. Whatever the window is, what followed is looked for until now. Reads the failures, the tabs
 * since, and the page loads of people who are known.
 */
export async function chunkOutcomes(
  deps: Pick<QueryDeps, 'records' | 'telemetry' | 'clock'>,
  grant: Grant<'event:read', 'org' | 'project'>,
  input: NavigationFilter,
): Promise<ChunkOutcomes[]> {
  const since = { fromMs: input.fromMs, toMs: deps.clock.nowMs() + LOOP_WITHIN_MS }
  const [rows, later] = await Promise.all([
    chunkRows(deps, grant, input),
    performanceConditions(deps, grant, since),
  ])
  if (rows === undefined || later === undefined) return []
  // `from` and so on of the failures, and of what came later: two windows in one statement.
  const laterSql = later.sql.replaceAll('{to:', '{laterTo:')
  // GLOBAL by hand: on shards ClickHouse writes it itself, and fails where one such condition stands within another.
  const found = await deps.telemetry.query<{
    readonly build: string
    readonly environment: string
    readonly outcome: TabOutcome
    readonly tabs: number
  }>(
    `WITH failed AS (
       SELECT build, environment, tab, toUnixTimestamp64Milli(max(at)) AS last, groupUniqArrayIf(page, page != '') AS pages,
         arraySort(groupUniqArrayIf(page_start, page_start > 0)) AS starts
       FROM (${rows.sql}) GROUP BY build, environment, tab
     ), seen AS (
       SELECT tab, groupArray((build, environment, at)) AS loads, groupArrayIf(page, isFine) AS fine FROM (
         SELECT if(tab_id = '', toString(page_id), tab_id) AS tab, build, environment, toUnixTimestamp64Milli(min(started)) AS at,
           toString(page_id) AS page, max(recovered) = 1 AS isFine
         FROM tabs WHERE ${laterSql} AND tab GLOBAL IN (SELECT tab FROM failed) GROUP BY tab, build, environment, page_id
         UNION ALL
         SELECT concat('user ', user_key) AS tab, release AS build, environment,
           toUnixTimestamp64Milli(toDateTime64(timestamp, 3)) AS at, '' AS page, false AS isFine
         FROM spans WHERE ${laterSql} AND ${PAGE_SEGMENTS_SQL} AND op = 'pageload' AND user_key != ''
           AND tab GLOBAL IN (SELECT tab FROM failed)
       ) GROUP BY tab
     )
     SELECT build, environment, toUInt32(count()) AS tabs, multiIf(
         arrayExists(load -> load.1 != build AND load.2 = environment AND load.3 > last, loads), 'reloaded',
         hasAny(pages, fine), 'recovered',
         arrayExists((start, at) -> at >= ${LOOP} AND start - starts[at - 1] <= ${LOOP_WITHIN_MS}
           AND starts[at - 1] - starts[at - 2] <= ${LOOP_WITHIN_MS}, starts, arrayEnumerate(starts)), 'looped',
         notEmpty(loads), 'stuck',
         'unknown') AS outcome
     FROM failed LEFT JOIN seen ON seen.tab = failed.tab
     GROUP BY build, environment, outcome`,
    { ...rows.params, laterTo: later.params['to'] },
  )
  const builds = Map.groupBy(found, ({ build, environment }) => JSON.stringify([build, environment]))
  return [...builds.values()].map((group) => ({
    build: group[0]?.build ?? '',
    environment: group[0]?.environment ?? '',
    outcomes: Object.fromEntries(group.map(({ outcome, tabs }) => [outcome, tabs])),
  }))
}
