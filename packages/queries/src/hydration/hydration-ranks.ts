/**
 * Where the browser rendered something else than the server, by route and component, ranked by what it cost: mean
 * milliseconds of a page load × the people who had it. docs/hydration.md
 */
import type { Grant } from '@sonde/access'
import { HYDRATION_DIFFERENCES, HYDRATION_OP, HYDRATION_PREFIX } from '@sonde/protocol/hydration'
import { PAGES_SQL } from '../performance/navigation-page-data.ts'
import {
  type Conditions,
  performanceConditions,
  type PerformanceFilter,
} from '../performance/performance-filter.ts'
import type { QueryDeps } from '../query-deps.ts'
import { issuesOfEvents } from './hydration-issues.ts'
import { HYDRATION_MISMATCHES, type HydrationRank, word } from './hydration-sql.ts'
import { stockRanks } from './stock-hydration.ts'

const MAX_RANKS = 100
const COST = `numbers['${HYDRATION_PREFIX}cost']`
const HAS_COST = `mapContains(numbers, '${HYDRATION_PREFIX}cost')`
const WEIGHED_PAGES = `round(${PAGES_SQL} * avg(1 / sample_rate))`

type Row = Omit<HydrationRank, 'source' | 'ofPages' | 'shown' | 'meanMs' | 'msUsers' | 'issue'> & {
  readonly costMs: number
  readonly costed: number
  readonly shown: readonly (readonly [difference: string, node: string, before: string, after: string])[]
  readonly eventId: string
}

/** The most expensive first, then by page loads. Ranges of the ordering keys of `spans` and `events`; at most 100 rows. */
export async function hydrationRanks(
  deps: Pick<QueryDeps, 'records' | 'telemetry'>,
  grant: Grant<'event:read', 'project'>,
  filter: PerformanceFilter,
): Promise<readonly HydrationRank[]> {
  const where = await performanceConditions(deps, grant, filter)
  if (where === undefined) return []
  const [rows, loads, stock] = await Promise.all([
    toldRows(deps, where),
    loadsOfRoutes(deps, where),
    stockRanks(deps, grant, filter),
  ])
  const issues = await issuesOfEvents(
    deps,
    grant,
    rows.map(({ eventId }) => eventId),
  )
  const told = rows.map(({ costMs, costed, shown, eventId, ...row }): HydrationRank => {
    const meanMs = costed > 0 ? costMs / costed : undefined
    const [difference, node = '', before = '', after = ''] = shown[0] ?? []
    const known = HYDRATION_DIFFERENCES.find((each) => each === difference)
    return {
      ...row,
      source: 'sonde',
      ofPages: loads.get(row.route) ?? 0,
      shown: known && { difference: known, node, before, after },
      meanMs,
      msUsers: meanMs === undefined ? undefined : meanMs * (row.users || row.pages),
      issue: issues.get(eventId),
    }
  })
  const others = stock.map((row): HydrationRank => ({ ...row, ofPages: loads.get(row.route) ?? 0 }))
  return [...told, ...others]
    .toSorted((a, b) => (b.msUsers ?? 0) - (a.msUsers ?? 0) || b.pages - a.pages)
    .slice(0, MAX_RANKS)
}

const toldRows = ({ telemetry }: Pick<QueryDeps, 'telemetry'>, where: Conditions): Promise<Row[]> =>
  telemetry.query<Row>(
    `SELECT segment_name AS route, ${word('component')} AS component, ${WEIGHED_PAGES} AS pages,
       uniqIf(user_key, user_key != '') AS users,
       topKIf(1)((${word('difference')}, ${word('node')}, ${word('before')}, ${word('after')}), ${word('difference')} != '') AS shown,
       uniqIf(trace_id, ${word('scope')} = 'root') AS rootPages,
       sumIf(${COST}, ${HAS_COST}) AS costMs, uniqIf(trace_id, ${HAS_COST}) AS costed,
       toUnixTimestamp64Milli(toDateTime64(max(timestamp), 3)) AS lastMs,
       argMaxIf(${word('event_id')}, timestamp, ${word('event_id')} != '') AS eventId
     FROM spans WHERE ${where.sql} AND ${HYDRATION_MISMATCHES} AND ${word('benign')} = ''
     GROUP BY route, component ORDER BY costMs DESC, pages DESC, route, component LIMIT {rows:UInt32}`,
    { ...where.params, rows: MAX_RANKS },
  )

/** Those that told that they were hydrated; of a route where none did, all page loads. */
async function loadsOfRoutes(
  { telemetry }: Pick<QueryDeps, 'telemetry'>,
  where: Conditions,
): Promise<ReadonlyMap<string, number>> {
  const rows = await telemetry.query<{ route: string; hydrated: number; loaded: number }>(
    `SELECT segment_name AS route, sumIf(1 / sample_rate, is_segment = 0) AS hydrated,
       sumIf(1 / sample_rate, is_segment = 1) AS loaded
     FROM spans WHERE ${where.sql}
       AND ((is_segment = 0 AND op = '${HYDRATION_OP}') OR (is_segment = 1 AND op = 'pageload'))
     GROUP BY route LIMIT {rows:UInt32}`,
    { ...where.params, rows: 10_000 },
  )
  return new Map(rows.map(({ route, hydrated, loaded }) => [route, Math.round(hydrated || loaded)]))
}
