/** What fetching each route ahead came to: how much of it was used, what the rest cost, and whether it helped. */
import type { Grant } from '@sonde/access'
import { SPECULATION_RULES } from '@sonde/protocol/navigation'
import type { QueryDeps } from '../query-deps.ts'
import {
  idsBelow,
  navigationConditions,
  type NavigationFilter,
  SEEN_AFTER_SQL,
  SHARE_SQL,
} from './navigation-filter.ts'
import { performanceConditions, WEIGHT } from './performance-filter.ts'
import { type Waste, wasteOf } from './prefetch-waste.ts'

/** What the client's cache gave: how often a page was shown from it, how old it was, and how much sooner it was seen. */
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
type RouteCachesInput = NavigationFilter & { readonly limit?: number }

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
  const rows = await deps.telemetry.query<CacheRow>(
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

type CacheRow = {
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

export type RoutePrefetch = {
  readonly route: string
  readonly issued: number
  readonly used: number
  readonly late: number
  readonly stale: number
  readonly wasted: number
  /** Milliseconds that navigations did not wait, all together. */
  readonly savedMs: number
  /** Loads that fetching ahead began and their bytes over the network; undefined: the reporter does not tell. */
  readonly requests: number | undefined
  readonly bytes: number | undefined
  /** Of `bytes`, what nobody saw. */
  readonly wastedBytes: number | undefined
  /** Milliseconds until the page was seen, of navigations that found it there and of those for which nothing was fetched. */
  readonly usedP75: number | undefined
  readonly noneP75: number | undefined
  /** Rows behind the two. */
  readonly usedSamples: number
  readonly noneSamples: number
  /** The share that nobody used. */
  readonly waste: Waste
}
export type RoutePrefetchesInput = NavigationFilter & { readonly limit?: number }

const MAX_ROUTES = 500

/** The most fetched first. A page tells when it is hidden, and counts where it was loaded: by the time of its load. */
export async function routePrefetches(
  deps: Pick<QueryDeps, 'records' | 'telemetry'>,
  grant: Grant<'event:read', 'org' | 'project'>,
  input: RoutePrefetchesInput,
): Promise<RoutePrefetch[]> {
  const { to, part = 1 } = input
  const [where, among] = await Promise.all([
    performanceConditions(deps, grant, input),
    navigationConditions(deps, grant, input),
  ])
  if (where === undefined || among === undefined) return []
  const sums = COUNTED.map((name) => `sum(${name} * ${SHARE_SQL}) AS ${name}`).join(', ')
  const seenIf = (state: string): string =>
    `countIf(prefetch = '${state}') AS ${state}Samples, quantileBFloat16WeightedIf(0.75)(${SEEN_AFTER_SQL}, ${WEIGHT}, prefetch = '${state}') AS ${state}P75`
  const [rows, times] = await Promise.all([
    deps.telemetry.query<Row>(
      `SELECT route, ${sums}, sum(saved_ms * ${SHARE_SQL}) AS savedMs, sum(requests * ${SHARE_SQL}) AS requests,
         sum(bytes * ${SHARE_SQL}) AS bytes, sum(wasted_bytes * ${SHARE_SQL}) AS wastedBytes, ${WASTE_SQL} AS told
       FROM prefetches AS each FINAL WHERE ${where.sql} AND router != '${SPECULATION_RULES}' ${part < 1 ? `AND prefetch_id < '${idsBelow(part)}'` : ''} ${to === undefined ? '' : 'AND route = {toRoute:String}'}
       GROUP BY route ORDER BY issued DESC, route LIMIT {rows:UInt32}`,
      {
        ...where.params,
        toRoute: to ?? '',
        standsFor: 1 / part,
        rows: Math.min(input.limit ?? 50, MAX_ROUTES),
      },
    ),
    deps.telemetry.query<Times>(
      `SELECT to_route AS route, ${seenIf('used')}, ${seenIf('none')}
       FROM navigations WHERE ${among.sql} AND outcome = 'committed' AND prefetch IN ('used', 'none')
       GROUP BY route ORDER BY count() DESC LIMIT ${MAX_ROUTES}`,
      among.params,
    ),
  ])
  const timesOf = new Map(times.map((row) => [row.route, row]))
  return rows.map(({ told, ...row }) => {
    const [reports, issued, wasted, issuedSquared, wastedSquared, product] = told
    const { usedSamples = 0, noneSamples = 0, usedP75, noneP75 } = timesOf.get(row.route) ?? {}
    return {
      ...row,
      ...Object.fromEntries(COUNTED.map((name) => [name, Math.round(row[name])])),
      waste: wasteOf({ reports, issued, wasted, issuedSquared, wastedSquared, product }),
      requests: row.requests === null ? undefined : Math.round(row.requests),
      bytes: row.bytes === null ? undefined : Math.round(row.bytes),
      wastedBytes: row.wastedBytes === null ? undefined : Math.round(row.wastedBytes),
      usedSamples,
      noneSamples,
      usedP75: usedSamples > 0 ? usedP75 : undefined,
      noneP75: noneSamples > 0 ? noneP75 : undefined,
    }
  })
}

/** As they were sent: `each` tells the columns from the sums of the same names. */
const WASTE_SQL = `tuple(toFloat64(count()), toFloat64(sum(each.issued)), toFloat64(sum(each.wasted)),
  sum(toFloat64(each.issued) * each.issued), sum(toFloat64(each.wasted) * each.wasted), sum(toFloat64(each.wasted) * each.issued))`

/**
 * Page loads that speculation rules had ready, and of these how many before they were: pages do not know how many were prepared in
 * vain. Undefined: none was told.
 */
export async function speculatedLoads(
  deps: Pick<QueryDeps, 'records' | 'telemetry'>,
  grant: Grant<'event:read', 'org' | 'project'>,
  input: NavigationFilter,
): Promise<{ readonly loads: number; readonly late: number } | undefined> {
  const where = await performanceConditions(deps, grant, input)
  if (where === undefined) return undefined
  const [row] = await deps.telemetry.query<{ readonly loads: number; readonly late: number }>(
    `SELECT round(sum(issued / sample_rate)) AS loads, round(sum(each.late / sample_rate)) AS late
     FROM prefetches AS each FINAL WHERE ${where.sql} AND router = '${SPECULATION_RULES}'`,
    where.params,
  )
  return row && row.loads > 0 ? row : undefined
}

const COUNTED = ['issued', 'used', 'late', 'stale', 'wasted'] as const

type Row = { readonly [Name in (typeof COUNTED)[number]]: number } & {
  readonly route: string
  readonly savedMs: number
  readonly requests: number | null
  readonly bytes: number | null
  readonly wastedBytes: number | null
  readonly told: readonly [number, number, number, number, number, number]
}
type Times = {
  readonly route: string
  readonly usedSamples: number
  readonly usedP75: number
  readonly noneSamples: number
  readonly noneP75: number
}
