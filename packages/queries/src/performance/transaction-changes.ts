/** How routes and transactions changed against the window before, as long as this one. */
import type { Grant } from '@sonde/access'
import type { QueryDeps } from '../query-deps.ts'
import {
  type Change,
  MIN_COMPARED_SAMPLES,
  percentileEstimate,
  rateEstimate,
  relativeChange,
  shareChange,
  SKETCH_STEP,
} from './change-interval.ts'
import { clusteredSamples, GROUPS } from './clustered-samples.ts'
import type { PerformanceFilter } from './performance-filter.ts'
import { quantileAt } from './quantile-grid.ts'
import {
  type Compared,
  HAS_FAILED,
  IS_NOW,
  MAX_COMPARED,
  type TransactionRef,
  type TransactionWindow,
  transactionWindows,
  windowConditions,
} from './transaction-windows.ts'

// How much the samples of a window tell when visits of one person are alike: ten visits of each of fifty people are not
// five hundred. Counted per person, in groups of them, below and above the percentile that is asked about.

/** Effective samples of each window for each measure; 0 when it is too few people. */
type Effective = (window: TransactionWindow, measure: Compared) => number

type EffectiveInput = {
  readonly windows: readonly TransactionWindow[]
  readonly measures: readonly Compared[]
  readonly filter: PerformanceFilter
}

/** One read of the windows' rows: who, when, how long. Rows that name nobody are a person each. */
async function effectiveSamples(
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
  /** Of these, at most `MAX_COMPARED`; undefined: of the most frequent. */
  readonly routes?: readonly TransactionRef[] | undefined
}

/**
 * The most frequent first. Reads the roots of both windows twice: once for the percentiles, once for how alike visits of
 * one person are.
 */
export async function transactionChanges(
  deps: Pick<QueryDeps, 'records' | 'telemetry'>,
  grant: Grant<'event:read', 'org' | 'project'>,
  { measures, routes, ...filter }: TransactionChangesInput,
): Promise<readonly TransactionChange[]> {
  if (routes?.length === 0) return []
  const requested = routes && new Set(routes.slice(0, MAX_COMPARED).map((route) => keyOf(route)))
  const all = await transactionWindows(deps, grant, { filter, routes, measures })
  // Kinds and names are narrowed to each by itself: a name of another kind comes along.
  const found = requested
    ? all.filter((window) => requested.has(keyOf(window)))
    : all.slice(0, 2 * MAX_COMPARED)
  const pairs = [...Map.groupBy(found, (window) => keyOf(window)).values()].flatMap((windows) => {
    const [now, before] = [windows.find(({ isNow }) => isNow), windows.find(({ isNow }) => !isNow)]
    return now ? [{ now, before }] : []
  })
  const comparable = pairs.flatMap(({ now, before }) =>
    before && isEnough(now) && isEnough(before) ? [now, before] : [],
  )
  const effective = await effectiveSamples(deps, grant, { windows: comparable, measures, filter })
  return pairs.map(({ now, before }) => {
    const { op, name } = now
    const changes = measures.map((measure) => [measure, changeOf(measure, now, before, effective)] as const)
    return { op, name, changes: Object.fromEntries(changes), samples: [now.samples, before?.samples ?? 0] }
  })
}

const keyOf = ({ op, name }: TransactionRef): string => JSON.stringify([op, name])

const isEnough = ({ effective }: TransactionWindow): boolean => effective >= MIN_COMPARED_SAMPLES

function changeOf(
  measure: Compared,
  now: TransactionWindow,
  before: TransactionWindow | undefined,
  effective: Effective,
): MeasureChange {
  if (!before) return { change: { kind: 'few' }, before: undefined }
  if (measure === 'failureRate') {
    const [a, b] = [now, before].map((window) => rateEstimate(window.failureRate, effective(window, measure)))
    return { change: shareChange(a, b), before: before.failureRate }
  }
  const [a, b] = [now, before].map((window) => {
    const grid = window.grids.get(measure)
    return grid && percentileEstimate(grid, effective(window, measure))
  })
  const grid = before.grids.get(measure)
  return { change: relativeChange(a, b), before: grid && quantileAt(grid, grid.level) }
}
