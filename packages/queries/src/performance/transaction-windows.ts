/** Routes in a window and in the one before, as long: percentiles with their neighbours, failures, how much it stands on. */
import type { Grant } from '@sonde/access'
import type { QueryDeps } from '../query-deps.ts'
import {
  type Conditions,
  performanceConditions,
  type PerformanceFilter,
  WEIGHT,
} from './performance-filter.ts'
import { gridLevels, type QuantileGrid } from './quantile-grid.ts'
import { type Compared, EFFECTIVE_SAMPLES, HAS_FAILED, LEVELS, STANDS_FOR } from './transaction-measures.ts'

export type TransactionRef = { readonly op: string; readonly name: string }
export type TransactionWindow = TransactionRef & {
  readonly isNow: boolean
  readonly samples: number
  /** As many samples of equal weight would tell as much. */
  readonly effective: number
  readonly grids: ReadonlyMap<Compared, QuantileGrid>
  readonly failureRate: number
}

/** Others are too rare to tell anything of; and each is a number in the text of the next query. */
export const MAX_COMPARED = 300

/** Of 300 routes in both windows, and of others that share their names. */
const MAX_ROWS = 3_000

/** Of both windows; undefined when the grant has no project. `routes` narrows by the ordering key of `spans`. */
export async function windowConditions(
  deps: Pick<QueryDeps, 'records'>,
  grant: Grant<'event:read', 'org' | 'project'>,
  filter: PerformanceFilter,
  routes: readonly TransactionRef[] | undefined,
): Promise<Conditions | undefined> {
  const { fromMs, toMs } = filter
  const where = await performanceConditions(deps, grant, {
    ...filter,
    fromMs: Math.max(0, 2 * fromMs - toMs),
  })
  if (where === undefined) return undefined
  const chosen = routes ? ' AND op IN {ops:Array(String)} AND segment_name IN {names:Array(String)}' : ''
  const ops = [...new Set(routes?.map(({ op }) => op))]
  const names = [...new Set(routes?.map(({ name }) => name))]
  return {
    sql: `${where.sql} AND is_segment = 1${chosen}`,
    params: { ...where.params, split: fromMs, ops, names },
  }
}
/** Whether a row is of the window and not of the one before. */
export const IS_NOW = 'timestamp >= {split:DateTime64(3)}'

/** The most frequent first; all grids come out of one sketch each. */
export async function transactionWindows(
  { telemetry }: Pick<QueryDeps, 'telemetry'>,
  where: Conditions,
  measures: readonly Compared[],
): Promise<readonly TransactionWindow[]> {
  const grids = measures.flatMap((measure) =>
    measure === 'failureRate' ? [] : [{ measure, level: LEVELS[measure] }],
  )
  const levels = grids.flatMap(({ level }) => gridLevels(level))
  const rows = await telemetry.query<Row>(
    `SELECT op, segment_name AS name, ${IS_NOW} AS isNow, count() AS samples, ${EFFECTIVE_SAMPLES} AS effective,
       ${levels.length === 0 ? '[]' : `quantilesBFloat16Weighted(${levels.join(', ')})(duration_ms, ${WEIGHT})`} AS values,
       sumIf(1 / sample_rate, ${HAS_FAILED}) / sum${STANDS_FOR} AS failureRate
     FROM spans WHERE ${where.sql}
     GROUP BY op, name, isNow ORDER BY samples DESC LIMIT ${MAX_ROWS}`,
    where.params,
  )
  return rows.map(({ values, isNow, ...row }) => {
    let first = 0
    const own = grids.map(({ measure, level }) => {
      const from = first
      first += gridLevels(level).length
      return [measure, { level, values: values.slice(from, first) }] as const
    })
    return { ...row, isNow: isNow === 1, grids: new Map(own) }
  })
}

type Row = Omit<TransactionWindow, 'grids' | 'isNow'> & {
  readonly isNow: 0 | 1
  readonly values: readonly number[]
}
