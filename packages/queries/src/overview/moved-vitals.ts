/** Which routes are slower or faster in a release than in the one before. */
import type { Grant } from '@sonde/access'
import { Z } from '../performance/change-interval.ts'
import { vitalConditions } from '../performance/vital-conditions.ts'
import { routeVitalSides, type RouteVitalChange } from '../performance/vital-sides.ts'
import type { QueryDeps } from '../query-deps.ts'
import { widenedChange } from '../releases/judge-release.ts'
import type { ReleasePair } from '../releases/release-speed.ts'

export type MovedVital = Pick<RouteVitalChange, 'route' | 'name' | 'samples'> & {
  /** Relative, of the 75th percentile; the interval is of 95 % for all that are compared together. */
  readonly by: number
  readonly low: number
  readonly high: number
}
export type MovedVitals = {
  /** The farthest for sure first. */
  readonly worse: readonly MovedVital[]
  readonly better: readonly MovedVital[]
  /** Routes of which both releases have enough page loads for at least one vital, and others. */
  readonly compared: number
  readonly tooFew: number
  /** Page loads of both releases; 0: nobody measures them. */
  readonly samples: number
}

/** Others have too few page loads to be told from before. */
const MAX_ROUTES = 20
/** Nobody cares for less. */
const MARGIN = 0.1
/** For 20 routes of five vitals together, by Bonferroni: Φ⁻¹(1 − 0.025/100) / Φ⁻¹(0.975). */
const ARMS = 3.4808 / Z

/** The routes with the most page loads. Reads the vitals of both releases as `releaseVitalChanges` does, and counts them by route. */
export async function movedVitals(
  deps: Pick<QueryDeps, 'records' | 'telemetry'>,
  grant: Grant<'event:read', 'project'>,
  { release, before, ...filter }: ReleasePair,
): Promise<MovedVitals> {
  const where = await vitalConditions(deps, grant, { ...filter, release: [release, before] })
  const routes = where
    ? await deps.telemetry.query<{ readonly route: string; readonly visits: number }>(
        `SELECT route, uniqCombined64(page_id) AS visits FROM vitals WHERE ${where.sql} AND route != ''
         GROUP BY route ORDER BY visits DESC, route LIMIT ${MAX_ROUTES}`,
        where.params,
      )
    : []
  if (!where || routes.length === 0) return { worse: [], better: [], compared: 0, tooFew: 0, samples: 0 }
  const found = await routeVitalSides(
    deps,
    { sql: where.sql, params: { ...where.params, isNow: release } },
    'toUInt8(release = {isNow:String})',
    routes.map(({ route }) => route),
  )
  const known = found.flatMap(({ route, name, samples, change }): MovedVital[] => {
    if (change.kind === 'few') return []
    const [by, low, high] = widenedChange(change, true, ARMS)
    return [{ route, name, samples, by, low, high }]
  })
  const compared = new Set(known.map(({ route }) => route)).size
  return {
    worse: known.filter(({ low, by }) => low > 0 && by >= MARGIN).toSorted((a, b) => b.low - a.low),
    better: known.filter(({ high, by }) => high < 0 && by <= -MARGIN).toSorted((a, b) => a.high - b.high),
    compared,
    tooFew: routes.length - compared,
    samples: routes.reduce((sum, { visits }) => sum + visits, 0),
  }
}
