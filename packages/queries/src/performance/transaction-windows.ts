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

/** What is measured of transactions, as SQL over their roots: the same in lists, heads and charts. */

/** Satisfied up to this, miserable beyond four times it (Apdex: https://www.apdex.org). */
const MISERY_MS = 300

/** How many a sampled row stands for. */
export const STANDS_FOR = '(1 / sample_rate)'
/** What was broken off or has no status is no failure. */
export const HAS_FAILED = `status NOT IN ('', 'ok', 'cancelled', 'unknown')`
/**
 * Different people, exact up to some thousands and within 1 % above. Hashed by hand: the engine then hashes a row once for
 * both, and the whole query costs a fifth less.
 */
const people = (condition: string): string => `uniqCombinedIf(14)(cityHash64(user_key), ${condition})`
export const USERS = people(`user_key != ''`)
export const MISERABLE_USERS = people(`user_key != '' AND duration_ms > ${4 * MISERY_MS}`)

/** Of which measures a change can be told. */
export const COMPARED = ['p50', 'p75', 'p95', 'failureRate'] as const
export type Compared = (typeof COMPARED)[number]
/** Of those that are percentiles. */
const LEVELS = { p50: 0.5, p75: 0.75, p95: 0.95 } as const

/**
 * Samples of equal weight that would tell as much as these of unequal ones (Kish). With one rate for all it is their
 * number.
 */
export const EFFECTIVE_SAMPLES = 'pow(sum(1 / sample_rate), 2) / sum(pow(1 / sample_rate, 2))'

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

/** Which roots a question about transactions reads. */
export type TransactionFilter = PerformanceFilter & {
  /** Undefined: all. */
  readonly op?: string | undefined
  readonly name?: string | undefined
}

/** A condition for `WHERE` on `spans`; undefined when the grant has no project. A range of the ordering key. */
export async function transactionConditions(
  deps: Pick<QueryDeps, 'records'>,
  grant: Grant<'event:read', 'org' | 'project'>,
  { op, name, ...filter }: TransactionFilter,
): Promise<Conditions | undefined> {
  const where = await performanceConditions(deps, grant, filter)
  if (where === undefined) return undefined
  const parts = [where.sql, 'is_segment = 1']
  if (op !== undefined) parts.push('op = {op:String}')
  if (name !== undefined) parts.push('segment_name = {name:String}')
  return { sql: parts.join(' AND '), params: { ...where.params, op: op ?? '', name: name ?? '' } }
}
