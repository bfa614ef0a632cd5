/** Page loads that were hydrated, by route: how many, how long it took, clicks that were lost, what differed harmlessly. */
import type { Grant } from '@sonde/access'
import {
  BENIGN_DIFFERENCES,
  type BenignDifference,
  HYDRATION_OP,
  HYDRATION_PREFIX,
} from '@sonde/protocol/hydration'
import { performanceConditions, type PerformanceFilter, WEIGHT } from '../performance/performance-filter.ts'
import type { QueryDeps } from '../query-deps.ts'
import { HYDRATION_MISMATCHES, word } from './hydration-sql.ts'

export type HydrationRoute = {
  readonly route: string
  /** Page loads that were hydrated, counted up from what was sampled. */
  readonly pages: number
  /** In which something of the app differed. */
  readonly mismatched: number
  /** Milliseconds from the call of `hydrateRoot` to the page's shell, 75th percentile. */
  readonly p75: number
  readonly lostClicks: number
  /** Page loads in which a click was lost. */
  readonly clickedPages: number
}
export type BenignCount = {
  readonly kind: BenignDifference
  readonly count: number
  /** Milliseconds that rendering anew took for it, in all. */
  readonly ms: number
}

const MAX_ROUTES = 200
const number = (key: string): string => `numbers['${HYDRATION_PREFIX}${key}']`
type Deps = Pick<QueryDeps, 'records' | 'telemetry'>

/** Those with the most lost clicks first. One range of the ordering key of `spans` per project. */
export async function hydrationRoutes(
  deps: Deps,
  grant: Grant<'event:read', 'org' | 'project'>,
  filter: PerformanceFilter,
): Promise<readonly HydrationRoute[]> {
  const where = await performanceConditions(deps, grant, filter)
  if (where === undefined) return []
  const rows = await deps.telemetry.query<HydrationRoute>(
    `SELECT segment_name AS route, sum(1 / sample_rate) AS pages,
       sumIf(1 / sample_rate, ${number('mismatches')} > 0) AS mismatched,
       quantileBFloat16Weighted(0.75)(duration_ms, ${WEIGHT}) AS p75,
       sum(${number('lost_clicks')} / sample_rate) AS lostClicks,
       sumIf(1 / sample_rate, ${number('lost_clicks')} > 0) AS clickedPages
     FROM spans WHERE ${where.sql} AND is_segment = 0 AND op = '${HYDRATION_OP}'
     GROUP BY route ORDER BY lostClicks DESC, pages DESC, route LIMIT {rows:UInt32}`,
    { ...where.params, rows: MAX_ROUTES },
  )
  return rows.map((row) => ({
    ...row,
    pages: Math.round(row.pages),
    mismatched: Math.round(row.mismatched),
    lostClicks: Math.round(row.lostClicks),
    clickedPages: Math.round(row.clickedPages),
  }))
}

/** Those that occur, the most frequent first. Two ranges of the ordering key. */
export async function benignCounts(
  deps: Deps,
  grant: Grant<'event:read', 'org' | 'project'>,
  filter: PerformanceFilter,
): Promise<readonly BenignCount[]> {
  const where = await performanceConditions(deps, grant, filter)
  if (where === undefined) return []
  const sums = BENIGN_DIFFERENCES.map((kind) => `sum(${number(`benign.${kind}`)} / sample_rate)`)
  const [pages, errors] = await Promise.all([
    deps.telemetry.query<{ readonly counts: readonly number[] }>(
      `SELECT [${sums.join(', ')}] AS counts FROM spans
       WHERE ${where.sql} AND is_segment = 0 AND op = '${HYDRATION_OP}'`,
      where.params,
    ),
    // Without `watchHydration` nothing counts them for the page: each is an error of React.
    deps.telemetry.query<{ readonly kind: string; readonly unwatched: number; readonly ms: number }>(
      `SELECT ${word('benign')} AS kind, sumIf(1 / sample_rate, ${word('scope')} = '') AS unwatched,
         sum(${number('cost')} / sample_rate) AS ms
       FROM spans WHERE ${where.sql} AND ${HYDRATION_MISMATCHES} AND ${word('benign')} != '' GROUP BY kind`,
      where.params,
    ),
  ])
  return BENIGN_DIFFERENCES.map((kind, at) => {
    const error = errors.find((each) => each.kind === kind)
    const count = (pages[0]?.counts[at] ?? 0) + (error?.unwatched ?? 0)
    return { kind, count: Math.round(count), ms: Math.round(error?.ms ?? 0) }
  })
    .filter(({ count }) => count > 0)
    .toSorted((a, b) => b.count - a.count)
}
