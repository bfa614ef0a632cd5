/** What a column of the filter can be set to: the values that occur in the window, with how often. */
import type { Grant } from '@sonde/access'
import type { QueryDeps } from '../query-deps.ts'
import { type FilterColumn, performanceConditions, type PerformanceFilter } from './performance-filter.ts'

/** Whose values: what a screen counts is what its filter counts. */
export const FILTER_SOURCES = ['transactions', 'spans', 'vitals', 'navigations'] as const
export type FilterSource = (typeof FILTER_SOURCES)[number]

export type FilterValue = {
  readonly value: string
  /** Transactions, spans, visits or navigations that have it, counted up from what was sampled. */
  readonly count: number
}
export type FilterValuesInput = PerformanceFilter & {
  readonly source: FilterSource
  readonly column: FilterColumn
}

/** A longer list is not read; what it leaves out can still be typed. */
const MAX_FILTER_VALUES = 200

const ROWS = 'sum(1 / sample_rate)'
/** A visit tells several vitals, each more than once: it is counted by its page, which needs no FINAL. */
const VISITS = 'uniqCombined64(page_id) * avg(1 / sample_rate)'
const COUNTED: { readonly [Source in FilterSource]: { readonly from: string; readonly count: string } } = {
  transactions: { from: 'spans', count: ROWS },
  spans: { from: 'spans', count: ROWS },
  vitals: { from: 'vitals', count: VISITS },
  navigations: { from: 'navigations FINAL', count: ROWS },
}

/**
 * Most frequent first, at most `MAX_FILTER_VALUES`. Narrowed by the other columns and not by its own: another value can
 * be added to those that are chosen. Reads one dictionary column of the window.
 */
export async function filterValues(
  deps: Pick<QueryDeps, 'records' | 'telemetry'>,
  grant: Grant<'event:read', 'org' | 'project'>,
  { source, column, ...filter }: FilterValuesInput,
): Promise<readonly FilterValue[]> {
  const where = await performanceConditions(deps, grant, { ...filter, [column]: [] })
  if (where === undefined) return []
  const { from, count } = COUNTED[source]
  return deps.telemetry.query<FilterValue>(
    `SELECT ${column} AS value, round(${count}) AS count FROM ${from}
     WHERE ${where.sql} AND ${column} != '' ${source === 'transactions' ? 'AND is_segment = 1' : ''}
     GROUP BY value ORDER BY count DESC, value LIMIT ${MAX_FILTER_VALUES}`,
    where.params,
  )
}
