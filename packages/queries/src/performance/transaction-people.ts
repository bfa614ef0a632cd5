/**
 * How much the samples of a window tell when visits of one person are alike: ten visits of each of fifty people are not
 * five hundred. Counted per person, in groups of them, below and above the percentile that is asked about.
 */
import type { Grant } from '@sonde/access'
import type { QueryDeps } from '../query-deps.ts'
import { SKETCH_STEP } from './change-interval.ts'
import { clusteredSamples, GROUPS } from './clustered-samples.ts'
import type { PerformanceFilter } from './performance-filter.ts'
import { quantileAt } from './quantile-grid.ts'
import { type Compared, HAS_FAILED } from './transaction-measures.ts'
import { IS_NOW, type TransactionWindow, windowConditions } from './transaction-windows.ts'

/** Effective samples of each window for each measure; 0 when it is too few people. */
export type Effective = (window: TransactionWindow, measure: Compared) => number

export type EffectiveInput = {
  readonly windows: readonly TransactionWindow[]
  readonly measures: readonly Compared[]
  readonly filter: PerformanceFilter
}

/** One read of the windows' rows: who, when, how long. Rows that name nobody are a person each. */
export async function effectiveSamples(
  deps: Pick<QueryDeps, 'records' | 'telemetry'>,
  grant: Grant<'event:read', 'org' | 'project'>,
  { windows, measures, filter }: EffectiveInput,
): Promise<Effective> {
  const where = await windowConditions(deps, grant, filter, windows)
  if (where === undefined || windows.length === 0) return () => 0
  const ops = [...new Set(windows.map(({ op }) => op))]
  const names = [...new Set(windows.map(({ name }) => name))]
  const placeOf = ({ op, name, isNow }: Pick<TransactionWindow, 'op' | 'name' | 'isNow'>): number =>
    (isNow ? 1 : 0) + 2 * (ops.indexOf(op) + ops.length * names.indexOf(name))
  const bounds = measures.map((measure) => {
    const values: number[] = Array.from({ length: 2 * ops.length * names.length }, () => 0)
    for (const window of windows) values[placeOf(window)] = boundOf(window, measure)
    return values
  })
  const conditions = measures.map((measure, index) =>
    measure === 'failureRate'
      ? HAS_FAILED
      : `duration_ms < arrayElement({bounds${index}:Array(Float64)}, place + 1)`,
  )
  const rows = await deps.telemetry.query<Row>(
    `SELECT place, count() AS groups, sum(weight) AS whole, sum(weight * weight) AS wholeSquares,
       [${conditions.map((_, index) => `[sum(part${index}), sum(part${index} * part${index}), sum(part${index} * weight)]`).join(', ')}] AS counts
     FROM (
       SELECT toUInt32((${IS_NOW}) + 2 * (${indexIn('op', 'ops', ops)} + ${ops.length} * ${indexIn('segment_name', 'names', names)})) AS place,
         toUInt8(if(user_key = '', cityHash64(timestamp, duration_ms), cityHash64(user_key)) % ${GROUPS}) AS people,
         sum(1 / sample_rate) AS weight,
         ${conditions.map((condition, index) => `sumIf(1 / sample_rate, ${condition}) AS part${index}`).join(', ')}
       FROM spans WHERE ${where.sql}
       GROUP BY place, people
     ) GROUP BY place`,
    {
      ...where.params,
      ops,
      names,
      ...Object.fromEntries(bounds.map((values, index) => [`bounds${index}`, values])),
    },
  )
  const found = new Map(rows.map((row) => [row.place, row]))
  return (window, measure) => {
    const row = found.get(placeOf(window))
    const counts = row?.counts[measures.indexOf(measure)]
    if (!row || !counts) return 0
    const [below, squares, products] = counts
    return clusteredSamples({ ...row, below, squares, products }, window.effective)
  }
}

/** Evaluated once for each entry of the column's dictionary, not for each row. */
const indexIn = (column: string, param: string, values: readonly string[]): string =>
  `transform(${column}, {${param}:Array(String)}, range(${values.length}), 0)`

type Row = {
  /** Of the window and route, as `placeOf` numbers them. */
  readonly place: number
  readonly groups: number
  readonly whole: number
  readonly wholeSquares: number
  /** For each measure: below the bound, squared by group, and times the group's weight. */
  readonly counts: readonly (readonly [below: number, squares: number, products: number])[]
}

/** What a row is counted below: the end of the step of the sketch in which the percentile lies. */
function boundOf({ grids }: TransactionWindow, measure: Compared): number {
  const grid = grids.get(measure)
  return grid ? Number((quantileAt(grid, grid.level) * (1 + SKETCH_STEP)).toPrecision(6)) : 0
}
