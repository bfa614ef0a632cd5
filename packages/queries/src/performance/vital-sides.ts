/**
 * How the web vitals of one set of visits differ from those of another, side by side in one read: a window and the one
 * before, a release and another one.
 */
import type { Grant } from '@sonde/access'
import { VITAL_NAMES, type VitalName } from '@sonde/protocol/web-vitals'
import type { QueryDeps } from '../query-deps.ts'
import { type Change, percentileEstimate, relativeChange, SKETCH_STEP } from './change-interval.ts'
import { clusteredSamples, GROUPS, type GroupSums } from './clustered-samples.ts'
import { type Conditions, WEIGHT } from './performance-filter.ts'
import { gridLevels, quantileAt } from './quantile-grid.ts'
import { mostVisits, type VitalOverviewInput } from './route-vitals.ts'
import { EFFECTIVE_SAMPLES } from './transaction-windows.ts'
import { visitSample, VITAL_ROWS, vitalConditions } from './vital-conditions.ts'

export type VitalChange = {
  readonly name: VitalName
  /** Relative, of the 75th percentile. */
  readonly change: Change
  /** Visits that were measured, in what is looked at and in what it is compared with. */
  readonly samples: readonly [now: number, before: number]
}

const LEVEL = 0.75
/** Of both sides and each vital: a change of three in a hundred is told from none, and few act on a smaller one. */
const MAX_VISITS = 40_000

export type RouteVitalChange = VitalChange & { readonly route: string }

/**
 * `isNowSql`: 1 for the side that is looked at, 0 for the other; ours, with parameters of `where`. `visits`: how many told the
 * vital that most told, where that is known.
 */
export const vitalSides = (
  deps: Pick<QueryDeps, 'telemetry'>,
  where: Conditions,
  isNowSql: string,
  visits?: number,
): Promise<readonly VitalChange[]> => sidesOf(deps, where, isNowSql, [], visits)

/** Of these routes each by itself, in the same reads. */
export const routeVitalSides = (
  deps: Pick<QueryDeps, 'telemetry'>,
  { sql, params }: Conditions,
  isNowSql: string,
  routes: readonly string[],
): Promise<readonly RouteVitalChange[]> =>
  sidesOf(
    deps,
    { sql: `${sql} AND route IN {routes:Array(String)}`, params: { ...params, routes } },
    isNowSql,
    routes,
  )

/** Without routes all of them are one, whose name is empty. */
async function sidesOf(
  { telemetry }: Pick<QueryDeps, 'telemetry'>,
  where: Conditions,
  isNowSql: string,
  routes: readonly string[],
  known?: number,
): Promise<readonly RouteVitalChange[]> {
  const routeSql = routes.length === 0 ? "''" : 'toString(route)'
  const { sql: sampled, share } = visitSample(known ?? (await visitsOf(telemetry, where)), MAX_VISITS)
  const read = { sql: `${where.sql} ${sampled}`, params: where.params }
  const rows = await telemetry.query<Row>(
    `SELECT ${routeSql} AS place, name, ${isNowSql} AS isNow, count() AS samples, ${EFFECTIVE_SAMPLES} AS effective,
       quantilesBFloat16Weighted(${gridLevels(LEVEL).join(', ')})(value, ${WEIGHT}) AS values
     FROM ${VITAL_ROWS} WHERE ${read.sql} GROUP BY place, name, isNow`,
    where.params,
  )
  const places = routes.length === 0 ? [''] : routes
  const effective = await effectiveVisits(telemetry, read, isNowSql, { rows, places, routeSql })
  const pairs = places.flatMap((place) => VITAL_NAMES.map((name) => ({ place, name })))
  return pairs.flatMap(({ place, name }) => {
    const [now, before] = [1, 0].map((isNow) =>
      rows.find((row) => row.place === place && row.name === name && row.isNow === isNow),
    )
    if (!now || !before) return []
    const [a, b] = [now, before].map((row) =>
      percentileEstimate({ level: LEVEL, values: row.values }, effective(row)),
    )
    const samples = [Math.round(now.samples / share), Math.round(before.samples / share)] as const
    return [{ route: place, name, change: relativeChange(a, b), samples }]
  })
}

async function visitsOf(telemetry: QueryDeps['telemetry'], { sql, params }: Conditions): Promise<number> {
  const counts = await telemetry.query<{ readonly visits: number }>(
    `SELECT count() AS visits FROM vitals WHERE ${sql} GROUP BY name`,
    params,
  )
  return Math.max(0, ...counts.map(({ visits }) => visits))
}

type Row = {
  /** The route, where they are told apart. */
  readonly place: string
  readonly name: VitalName
  readonly isNow: 0 | 1
  readonly samples: number
  readonly effective: number
  readonly values: readonly number[]
}

/** As many independent visits as would tell as much: those of one person are alike. Nobody known is a person each. */
async function effectiveVisits(
  telemetry: QueryDeps['telemetry'],
  { sql, params }: Conditions,
  isNowSql: string,
  {
    rows,
    places,
    routeSql,
  }: { readonly rows: readonly Row[]; readonly places: readonly string[]; readonly routeSql: string },
): Promise<(row: Row) => number> {
  const all = VITAL_NAMES.length
  const boundOf = ({ place, name, isNow }: Pick<Row, 'place' | 'name' | 'isNow'>): number =>
    2 * (VITAL_NAMES.indexOf(name) + all * places.indexOf(place)) + isNow
  const bounds: number[] = Array.from({ length: 2 * all * places.length }, () => 0)
  for (const { place, name, isNow, values } of rows)
    bounds[boundOf({ place, name, isNow })] = quantileAt({ level: LEVEL, values }, LEVEL) * (1 + SKETCH_STEP)
  const groups = await telemetry.query<GroupSums & Pick<Row, 'place' | 'name' | 'isNow'>>(
    `SELECT place, name, isNow, count() AS groups, sum(weight) AS whole, sum(weight * weight) AS wholeSquares,
       sum(part) AS below, sum(part * part) AS squares, sum(part * weight) AS products
     FROM (
       SELECT ${routeSql} AS place, name, ${isNowSql} AS isNow,
         cityHash64(if(user_key = '', page_id, user_key)) % ${GROUPS} AS people, sum(1 / sample_rate) AS weight,
         sumIf(1 / sample_rate, value < arrayElement({bounds:Array(Float64)},
           2 * (indexOf({names:Array(String)}, name) + ${all} * (indexOf({places:Array(String)}, place) - 1)) + isNow - 1)) AS part
       FROM ${VITAL_ROWS} WHERE ${sql} GROUP BY place, name, isNow, people
     ) GROUP BY place, name, isNow`,
    { ...params, bounds, names: VITAL_NAMES, places },
  )
  return ({ place, name, isNow, effective }) => {
    const found = groups.find((each) => each.place === place && each.name === name && each.isNow === isNow)
    return found ? clusteredSamples(found, effective) : 0
  }
}

// How the web vitals of a project or of one route changed against the window before, as long as this one.

/**
 * Of those that anyone told in both windows; the method, visits of one person included: docs/internals/performance-changes.md.
 * Of very many visits a part is read, twice.
 */
export async function vitalChanges(
  deps: Pick<QueryDeps, 'records' | 'telemetry'>,
  grant: Grant<'event:read', 'org' | 'project'>,
  input: VitalOverviewInput,
): Promise<readonly VitalChange[]> {
  const { fromMs, toMs } = input
  const where = await vitalConditions(deps, grant, { ...input, fromMs: Math.max(0, 2 * fromMs - toMs) })
  if (where === undefined) return []
  // As far as the engine can tell times: a window in the year 9000 has nothing in it either way.
  const params = { ...where.params, split: Math.min(fromMs, Number(where.params['to'])) }
  const before = { ...input, fromMs: Math.max(0, 2 * fromMs - toMs) }
  const visits = await mostVisits(deps, grant, before)
  return vitalSides(deps, { sql: where.sql, params }, 'timestamp >= {split:DateTime64(3)}', visits)
}
