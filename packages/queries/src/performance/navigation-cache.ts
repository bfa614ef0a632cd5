/** What the client's cache gave: how often a page was shown from it, how old it was, and how much sooner it was seen. */
import type { Grant } from '@sonde/access'
import type { QueryDeps } from '../query-deps.ts'
import {
  navigationConditions,
  type NavigationFilter,
  SEEN_AFTER_SQL,
  SHARE_SQL,
} from './navigation-filter.ts'
import { WEIGHT } from './performance-filter.ts'

export type RouteCache = {
  readonly route: string
  /** Of those whose router tells: page data from its cache, from the server, or the whole page from the browser's. */
  readonly hit: number
  readonly miss: number
  readonly bfcache: number
  /** Milliseconds since the data that was shown was fetched; undefined without a hit. */
  readonly ageP50: number | undefined
  readonly ageP95: number | undefined
  /** Milliseconds until the page was seen, from the cache and without; undefined where none was shown. */
  readonly hitP75: number | undefined
  readonly missP75: number | undefined
}
export type RouteCachesInput = NavigationFilter & { readonly limit?: number }

const MAX_ROUTES = 500

/** Most frequent first; routes whose router tells nothing of a cache are left out. */
export async function routeCaches(
  deps: Pick<QueryDeps, 'records' | 'telemetry'>,
  grant: Grant<'event:read', 'org' | 'project'>,
  input: RouteCachesInput,
): Promise<RouteCache[]> {
  const where = await navigationConditions(deps, grant, input)
  if (where === undefined) return []
  const seenIf = (condition: string): string =>
    `quantileBFloat16WeightedIf(0.75)(${SEEN_AFTER_SQL}, ${WEIGHT}, ${condition})`
  const age = (share: number): string =>
    `quantileBFloat16WeightedIf(${share})(assumeNotNull(cache_age_ms), ${WEIGHT}, isNotNull(cache_age_ms))`
  const rows = await deps.telemetry.query<Row>(
    `SELECT to_route AS route, ${['hit', 'miss', 'bfcache'].map((cache) => `sumIf(${SHARE_SQL}, cache = '${cache}') AS ${cache}`).join(', ')},
       count(cache_age_ms) AS aged, ${age(0.5)} AS ageP50, ${age(0.95)} AS ageP95,
       countIf(${HIT}) AS hits, ${seenIf(HIT)} AS hitP75, countIf(${MISS}) AS misses, ${seenIf(MISS)} AS missP75
     FROM navigations FINAL WHERE ${where.sql} AND cache != ''
     GROUP BY route ORDER BY count() DESC, route LIMIT {rows:UInt32}`,
    { ...where.params, rows: Math.min(input.limit ?? 50, MAX_ROUTES) },
  )
  return rows.map((row) => ({
    route: row.route,
    hit: Math.round(row.hit),
    miss: Math.round(row.miss),
    bfcache: Math.round(row.bfcache),
    ageP50: row.aged > 0 ? row.ageP50 : undefined,
    ageP95: row.aged > 0 ? row.ageP95 : undefined,
    hitP75: row.hits > 0 ? row.hitP75 : undefined,
    missP75: row.misses > 0 ? row.missP75 : undefined,
  }))
}

const HIT = `outcome = 'committed' AND cache IN ('hit', 'bfcache')`
const MISS = `outcome = 'committed' AND cache = 'miss'`

type Row = {
  readonly route: string
  readonly hit: number
  readonly miss: number
  readonly bfcache: number
  readonly aged: number
  readonly ageP50: number
  readonly ageP95: number
  readonly hits: number
  readonly hitP75: number
  readonly misses: number
  readonly missP75: number
}
