/** Web vitals per route: the 75th percentile that Google rates by, and how many visits were good. */
import { VITAL_NAMES, VITAL_THRESHOLDS, type VitalName } from '@sonde/protocol/web-vitals'
import type { QueryDeps } from '../query-deps.ts'
import type { AnyScope } from '../scope-projects.ts'
import { performanceConditions, type PerformanceFilter, WEIGHT } from './performance-filter.ts'

export { VITAL_NAMES, VITAL_THRESHOLDS, type VitalName }

export type VitalSummary = {
  /** Milliseconds; CLS has no unit. */
  readonly p75: number
  /** Numbers of visits, counted up from what was sampled. */
  readonly count: number
  /** Rows that were stored. */
  readonly samples: number
  readonly good: number
  readonly needsImprovement: number
  readonly poor: number
}
/** `count` and `samples` of the vital that most visits told. */
export type RouteVitals = { readonly route: string; readonly count: number; readonly samples: number } & {
  readonly [Name in VitalName]?: VitalSummary
}

export type RouteVitalsInput = PerformanceFilter & { readonly limit?: number }

const MAX_ROUTES = 1000

/**
 * Routes with the most visits first. Percentiles are within 0.4 % of the exact ones (16-bit floats), in one pass. Of
 * several values that one page told, the last final one counts.
 */
export async function routeVitals(
  deps: Pick<QueryDeps, 'records' | 'telemetry'>,
  scope: AnyScope,
  input: RouteVitalsInput,
): Promise<RouteVitals[]> {
  const where = await performanceConditions(deps, scope, input)
  if (where === undefined) return []
  const rows = await deps.telemetry.query<Row>(
    `SELECT route, name, quantileBFloat16Weighted(0.75)(value, ${WEIGHT}) AS p75, sum(1 / sample_rate) AS count,
       count() AS samples, sumIf(1 / sample_rate, value <= ${threshold(0)}) AS good, sumIf(1 / sample_rate, value > ${threshold(1)}) AS poor
     FROM vitals FINAL WHERE ${where.sql}
     GROUP BY route, name
     ORDER BY count DESC, route, name LIMIT {rows:UInt32}`,
    { ...where.params, rows: MAX_ROUTES * VITAL_NAMES.length },
  )
  const routes = [...Map.groupBy(rows, ({ route }) => route)].map(([route, own]) => routeOf(route, own))
  return routes.sort((a, b) => b.count - a.count).slice(0, Math.min(input.limit ?? 100, MAX_ROUTES))
}

type Row = {
  readonly route: string
  readonly name: VitalName
  readonly p75: number
  readonly count: number
  readonly samples: number
  readonly good: number
  readonly poor: number
}

/** As literals: they are ours, and the engine folds them. */
function threshold(at: 0 | 1): string {
  const values = VITAL_NAMES.map((name) => VITAL_THRESHOLDS[name][at])
  const names = VITAL_NAMES.map((name) => `'${name}'`).join(', ')
  return `transform(name, [${names}], [${values.join(', ')}], 0.)`
}

function routeOf(route: string, rows: readonly Row[]): RouteVitals {
  const vitals = Object.fromEntries(rows.map((row) => [row.name, summaryOf(row)]))
  const { count, samples } = rows.reduce((most, row) => (row.count > most.count ? row : most), NONE)
  return { route, count: Math.round(count), samples, ...vitals }
}

const NONE = { count: 0, samples: 0 }

function summaryOf({ p75, count, samples, good, poor }: Row): VitalSummary {
  const whole = { count: Math.round(count), good: Math.round(good), poor: Math.round(poor) }
  return { p75, ...whole, samples, needsImprovement: Math.max(0, whole.count - whole.good - whole.poor) }
}
