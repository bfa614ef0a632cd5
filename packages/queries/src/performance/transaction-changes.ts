/** How routes and transactions changed against the window before, as long as this one. */
import type { QueryDeps } from '../query-deps.ts'
import type { AnyScope } from '../scope-projects.ts'
import {
  type Change,
  percentileEstimate,
  rateEstimate,
  relativeChange,
  shareChange,
} from './change-interval.ts'
import { performanceConditions, type PerformanceFilter, WEIGHT } from './performance-filter.ts'
import { gridLevels } from './quantile-grid.ts'
import { MAX_ROUTES } from './route-transactions.ts'
import { type Compared, EFFECTIVE_SAMPLES, HAS_FAILED, LEVELS, STANDS_FOR } from './transaction-measures.ts'

export type TransactionRef = { readonly op: string; readonly name: string }
export type MeasureChange = {
  readonly change: Change
  /** What it was before: milliseconds, of `failureRate` a share; undefined when there was nothing. */
  readonly before: number | undefined
}
export type TransactionChange = TransactionRef & {
  /** One for each measure that was asked for. */
  readonly changes: { readonly [Measure in Compared]?: MeasureChange }
  /** Rows that were stored, in this window and in the one before. */
  readonly samples: readonly [now: number, before: number]
}
export type TransactionChangesInput = PerformanceFilter & {
  readonly measures: readonly Compared[]
  /** Of these, at most `MAX_ROUTES`; undefined: of the most frequent. */
  readonly routes?: readonly TransactionRef[] | undefined
}

/** Reads the roots of both windows; the second narrows to the routes of one page. In the order of their frequency. */
export async function transactionChanges(
  deps: Pick<QueryDeps, 'records' | 'telemetry'>,
  scope: AnyScope,
  { measures, routes, ...filter }: TransactionChangesInput,
): Promise<readonly TransactionChange[]> {
  const { fromMs, toMs } = filter
  const where = await performanceConditions(deps, scope, {
    ...filter,
    fromMs: Math.max(0, 2 * fromMs - toMs),
  })
  if (where === undefined || routes?.length === 0) return []
  const percentiles = measures.filter((measure) => measure !== 'failureRate')
  const levels = percentiles.flatMap((measure) => gridLevels(LEVELS[measure]))
  const rows = await deps.telemetry.query<Row>(
    `SELECT op, segment_name AS name, timestamp >= {split:DateTime64(3)} AS isNow, count() AS samples,
       ${EFFECTIVE_SAMPLES} AS effective,
       ${levels.length === 0 ? '[]' : `quantilesBFloat16Weighted(${levels.join(', ')})(duration_ms, ${WEIGHT})`} AS values,
       sumIf(1 / sample_rate, ${HAS_FAILED}) / sum${STANDS_FOR} AS failureRate
     FROM spans
     WHERE ${where.sql} AND is_segment = 1
       ${routes ? 'AND op IN {ops:Array(String)} AND segment_name IN {names:Array(String)}' : ''}
     GROUP BY op, name, isNow ORDER BY samples DESC LIMIT ${4 * MAX_ROUTES}`,
    {
      ...where.params,
      split: fromMs,
      ops: [...new Set(routes?.map(({ op }) => op))],
      names: [...new Set(routes?.map(({ name }) => name))],
    },
  )
  const byRoute = Map.groupBy(rows, ({ op, name }) => JSON.stringify([op, name]))
  return [...byRoute.values()].flatMap((windows) => {
    const now = windows.find(({ isNow }) => isNow === 1)
    if (!now) return []
    const before = windows.find(({ isNow }) => isNow === 0)
    const { op, name } = now
    const changes = measures.map((measure) => [measure, changeOf(measure, percentiles, now, before)] as const)
    return [
      {
        op,
        name,
        changes: Object.fromEntries(changes),
        samples: [now.samples, before?.samples ?? 0] as const,
      },
    ]
  })
}

type Row = {
  readonly op: string
  readonly name: string
  readonly isNow: 0 | 1
  readonly samples: number
  readonly effective: number
  /** The grids of all percentiles, one behind the other. */
  readonly values: readonly number[]
  readonly failureRate: number
}

function changeOf(
  measure: Compared,
  percentiles: readonly Compared[],
  now: Row,
  before: Row | undefined,
): MeasureChange {
  if (!before) return { change: { kind: 'few' }, before: undefined }
  if (measure === 'failureRate') {
    const [a, b] = [now, before].map((row) => rateEstimate(row.failureRate, row.effective))
    return { change: shareChange(a, b), before: before.failureRate }
  }
  const level = LEVELS[measure]
  const levels = gridLevels(level)
  const first = percentiles
    .slice(0, percentiles.indexOf(measure))
    .reduce((sum, each) => sum + (each === 'failureRate' ? 0 : gridLevels(LEVELS[each]).length), 0)
  const grids = [now, before].map((row) => ({
    level,
    values: row.values.slice(first, first + levels.length),
  }))
  const [a, b] = grids.map((grid, index) => percentileEstimate(grid, (index === 0 ? now : before).effective))
  return { change: relativeChange(a, b), before: grids[1]?.values[levels.indexOf(level)] }
}
