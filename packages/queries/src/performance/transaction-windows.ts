/** Routes in a window and in the one before, as long: percentiles with their neighbours, failures, how much it stands on. */
import type { Grant } from '@sonde/access'
import type { QueryParams } from '@sonde/stores'
import type { QueryDeps } from '../query-deps.ts'
import { type Conditions, performanceConditions, type PerformanceFilter } from './performance-filter.ts'
import { gridLevels, type QuantileGrid } from './quantile-grid.ts'
import { spanSums, type SpanSumsInput } from './span-sums.ts'

/** What is measured of transactions, as SQL over their roots: the same in lists, heads and charts. */

/** How many a sampled row stands for. */
export const STANDS_FOR = '(1 / sample_rate)'
export { HAS_FAILED } from '@sonde/stores'
/** Of sums: different people, exact up to some thousands and within 1 % above. */
export const USERS = 'uniqCombinedIfMerge(14)(people)'
export const MISERABLE_USERS = 'uniqCombinedIfMerge(14)(miserable)'

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
  const where = await performanceConditions(deps, grant, bothWindows(filter))
  if (where === undefined) return undefined
  const { sql, params } = rootsOf({ routes })
  return {
    sql: `${where.sql} AND ${sql('segment_name')}`,
    params: { ...where.params, ...params, split: filter.fromMs },
  }
}
/** Whether a row is of the window and not of the one before. */
export const IS_NOW = 'timestamp >= {split:DateTime64(3)}'
const bothWindows = ({ fromMs, toMs, ...filter }: PerformanceFilter): PerformanceFilter => ({
  ...filter,
  fromMs: Math.max(0, 2 * fromMs - toMs),
  toMs,
})

/** The most frequent first; all grids come out of one sketch each. Of all routes, or at most of `routes` and their likes. */
export async function transactionWindows(
  deps: Pick<QueryDeps, 'records' | 'telemetry'>,
  grant: Grant<'event:read', 'org' | 'project'>,
  {
    filter,
    routes,
    measures,
  }: {
    readonly filter: PerformanceFilter
    readonly routes: readonly TransactionRef[] | undefined
    readonly measures: readonly Compared[]
  },
): Promise<readonly TransactionWindow[]> {
  const where = await performanceConditions(deps, grant, bothWindows(filter))
  if (where === undefined) return []
  const grids = measures.flatMap((measure) =>
    measure === 'failureRate' ? [] : [{ measure, level: LEVELS[measure] }],
  )
  const levels = grids.flatMap(({ level }) => gridLevels(level))
  const roots = rootsOf({ routes })
  const sums = await spanSums(deps, {
    filter,
    where: { sql: where.sql, params: { ...where.params, ...roots.params } },
    which: roots.sql,
    by: { op: () => 'op', name: (root) => root },
    sums: ['sampled', 'counted', 'squares', 'failed', 'levels'],
    splitMs: filter.fromMs,
  })
  const rows = await deps.telemetry.query<Row>(
    `SELECT op, name, isNow, sum(sampled) AS samples, pow(sum(counted), 2) / sum(squares) AS effective,
       ${levels.length === 0 ? '[]' : `quantilesBFloat16WeightedMerge(${levels.join(', ')})(levels)`} AS values,
       sum(failed) / sum(counted) AS failureRate
     FROM (${sums.sql})
     GROUP BY op, name, isNow ORDER BY samples DESC LIMIT ${MAX_ROWS}`,
    sums.params,
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

type Roots = Pick<TransactionFilter, 'op' | 'name'> & {
  readonly routes?: readonly TransactionRef[] | undefined
}

/** Roots by the ordering key of `spans`, of which `root` is the column with their name. */
function rootsOf({ op, name, routes }: Roots): {
  readonly sql: (root: string) => string
  readonly params: QueryParams
} {
  const parts = (root: string): readonly string[] => [
    'is_segment = 1',
    ...(op === undefined ? [] : ['op = {op:String}']),
    ...(name === undefined ? [] : [`${root} = {name:String}`]),
    ...(routes === undefined ? [] : [`op IN {ops:Array(String)} AND ${root} IN {names:Array(String)}`]),
  ]
  const ops = [...new Set(routes?.map((route) => route.op))]
  const names = [...new Set(routes?.map((route) => route.name))]
  return { sql: (root) => parts(root).join(' AND '), params: { op: op ?? '', name: name ?? '', ops, names } }
}

/** Sums of roots over a window; undefined when the grant has no project. */
export async function transactionSums(
  deps: Pick<QueryDeps, 'records' | 'telemetry'>,
  grant: Grant<'event:read', 'org' | 'project'>,
  { op, name, ...filter }: TransactionFilter,
  input: Pick<SpanSumsInput, 'by' | 'sums' | 'steps'>,
): Promise<Conditions | undefined> {
  const where = await performanceConditions(deps, grant, filter)
  if (where === undefined) return undefined
  const { sql, params } = rootsOf({ op, name })
  return spanSums(deps, {
    ...input,
    filter,
    where: { sql: where.sql, params: { ...where.params, ...params } },
    which: sql,
  })
}

/** A condition for `WHERE` on `spans`; undefined when the grant has no project. A range of the ordering key. */
export async function transactionConditions(
  deps: Pick<QueryDeps, 'records'>,
  grant: Grant<'event:read', 'org' | 'project'>,
  { op, name, ...filter }: TransactionFilter,
): Promise<Conditions | undefined> {
  const where = await performanceConditions(deps, grant, filter)
  if (where === undefined) return undefined
  const { sql, params } = rootsOf({ op, name })
  return { sql: `${where.sql} AND ${sql('segment_name')}`, params: { ...where.params, ...params } }
}
