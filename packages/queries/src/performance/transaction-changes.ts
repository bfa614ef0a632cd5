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
export type TransactionChange = TransactionRef & {
  readonly change: Change
  /** Rows that were stored, in this window and in the one before. */
  readonly samples: readonly [now: number, before: number]
  /** What it was before: milliseconds, of `failureRate` a share; undefined when there was nothing. */
  readonly before: number | undefined
}
export type TransactionChangesInput = PerformanceFilter & {
  readonly measure: Compared
  /** Of these, at most `MAX_ROUTES`; undefined: of the most frequent. */
  readonly routes?: readonly TransactionRef[] | undefined
}

/** Reads the roots of both windows; the second narrows to the routes of one page. In the order of their frequency. */
export async function transactionChanges(
  deps: Pick<QueryDeps, 'records' | 'telemetry'>,
  scope: AnyScope,
  { measure, routes, ...filter }: TransactionChangesInput,
): Promise<readonly TransactionChange[]> {
  const { fromMs, toMs } = filter
  const where = await performanceConditions(deps, scope, {
    ...filter,
    fromMs: Math.max(0, 2 * fromMs - toMs),
  })
  if (where === undefined || routes?.length === 0) return []
  const grid =
    measure === 'failureRate'
      ? '[]'
      : `quantilesBFloat16Weighted(${gridLevels(LEVELS[measure]).join(', ')})(duration_ms, ${WEIGHT})`
  const rows = await deps.telemetry.query<Row>(
    `SELECT op, segment_name AS name, timestamp >= {split:DateTime64(3)} AS isNow, count() AS samples,
       ${EFFECTIVE_SAMPLES} AS effective, ${grid} AS values,
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
    return now
      ? [
          changeOf(
            measure,
            now,
            windows.find(({ isNow }) => isNow === 0),
          ),
        ]
      : []
  })
}

type Row = {
  readonly op: string
  readonly name: string
  readonly isNow: 0 | 1
  readonly samples: number
  readonly effective: number
  readonly values: readonly number[]
  readonly failureRate: number
}

function changeOf(measure: Compared, now: Row, before: Row | undefined): TransactionChange {
  const { op, name } = now
  const samples = [now.samples, before?.samples ?? 0] as const
  if (!before) return { op, name, samples, change: { kind: 'few' }, before: undefined }
  if (measure === 'failureRate') {
    const [a, b] = [now, before].map((row) => rateEstimate(row.failureRate, row.effective))
    return { op, name, samples, change: shareChange(a, b), before: before.failureRate }
  }
  const level = LEVELS[measure]
  const [a, b] = [now, before].map((row) => percentileEstimate({ level, values: row.values }, row.effective))
  return {
    op,
    name,
    samples,
    change: relativeChange(a, b),
    before: before.values[gridLevels(level).indexOf(level)],
  }
}
