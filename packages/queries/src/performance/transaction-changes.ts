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
} from './change-interval.ts'
import type { PerformanceFilter } from './performance-filter.ts'
import { quantileAt } from './quantile-grid.ts'
import type { Compared } from './transaction-measures.ts'
import { type Effective, effectiveSamples } from './transaction-people.ts'
import {
  MAX_COMPARED,
  type TransactionRef,
  type TransactionWindow,
  transactionWindows,
  windowConditions,
} from './transaction-windows.ts'

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
  const where = await windowConditions(deps, grant, filter, routes)
  if (where === undefined || routes?.length === 0) return []
  const asked = routes && new Set(routes.slice(0, MAX_COMPARED).map((route) => keyOf(route)))
  const all = await transactionWindows(deps, where, measures)
  // Kinds and names are narrowed to each by itself: a name of another kind comes along.
  const found = asked ? all.filter((window) => asked.has(keyOf(window))) : all.slice(0, 2 * MAX_COMPARED)
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
