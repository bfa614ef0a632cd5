/** What the performance screens narrow by: the same columns on spans, vitals, navigations and prefetches. */
import type { Grant } from '@sonde/access'
import { FILTER_COLUMNS, type FilterColumn, type QueryParams } from '@sonde/stores'
import { MAX_FILTER_VALUES } from '../contract.ts'
import { projectIdsOf, type QueryDeps } from '../query-deps.ts'
import { sinceWeek } from '../weeks.ts'

// What a column of the filter can be set to: the values that occur in the window, with how often.

/** Whose values: what a screen counts is what its filter counts. */
export const FILTER_SOURCES = [
  'transactions',
  'spans',
  'vitals',
  'navigations',
  'logs',
  'profiles',
  'metrics',
  'replays',
] as const
export type FilterSource = (typeof FILTER_SOURCES)[number]

export type FilterValue = {
  readonly value: string
  /** Transactions, spans, visits, navigations, replays or lines that have it, counted up from what was sampled. */
  readonly count: number
}
export type FilterValuesInput = PerformanceFilter & {
  readonly source: FilterSource
  readonly column: FilterColumn
}

/** A longer list is not read; what it leaves out can still be typed. */
const MAX_LISTED = 200

const ROWS = 'sum(1 / sample_rate)'
/** A visit tells several vitals, each more than once: it is counted by its page, which needs no FINAL. */
const VISITS = 'uniqCombined64(page_id) * avg(1 / sample_rate)'
const COUNTED: { readonly [Source in FilterSource]: { readonly from: string; readonly count: string } } = {
  transactions: { from: 'spans', count: ROWS },
  spans: { from: 'spans', count: ROWS },
  vitals: { from: 'vitals', count: VISITS },
  navigations: { from: 'navigations FINAL', count: ROWS },
  logs: { from: 'logs', count: 'count()' },
  profiles: { from: 'profiles', count: 'count()' },
  metrics: { from: 'metrics', count: 'count()' },
  replays: { from: 'replays', count: 'uniq(replay_id)' },
}

/**
 * Most frequent first, at most `MAX_LISTED`. Narrowed by the other columns and not by its own: another value can
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
     GROUP BY value ORDER BY count DESC, value LIMIT ${MAX_LISTED}`,
    where.params,
  )
}

export { FILTER_COLUMNS, type FilterColumn }

export type PerformanceFilter = {
  /** Unix milliseconds; `toMs` is exclusive. */
  readonly fromMs: number
  readonly toMs: number
  /** Any of these values each; absent and empty mean all. */
} & { readonly [Column in FilterColumn]?: readonly string[] }

/** Of one column: an address has room for more, but each value is looked for in every row. */

/** What the parameters of an address or of a request say of the columns; empty ones and repetitions are left out. */
export function filterColumns(
  valuesOf: (column: FilterColumn) => readonly string[],
): Pick<PerformanceFilter, FilterColumn> {
  const said = FILTER_COLUMNS.flatMap((column) => {
    const values = [...new Set(valuesOf(column))].filter((value) => value !== '').slice(0, MAX_FILTER_VALUES)
    return values.length === 0 ? [] : [[column, values] as const]
  })
  return Object.fromEntries(said)
}

export type Conditions = { readonly sql: string; readonly params: QueryParams }

/**
 * Partitions are weeks of receipt, and a row is received after it happened (a minute of clock difference aside), so
 * older ones are left out without being looked at. By the value of the partition: to compare `received` itself, it
 * would be read of every row, which took a fifth of the time of a percentile.
 */
const MAX_AHEAD_MS = 60_000
// A `Date` ends with June 2149, and the engine would read a later day as one of 1970.
const LAST_DAY_MS = Date.UTC(2149, 0, 1)
/** For a parameter of type `Date`. */
export const dayText = (ms: number): string => new Date(Math.min(ms, LAST_DAY_MS)).toISOString().slice(0, 10)

/** A condition for `WHERE`; undefined when the grant has no project, and so nothing to read. */
export async function performanceConditions(
  deps: Pick<QueryDeps, 'records'>,
  grant: Grant<'event:read', 'org' | 'project'>,
  filter: PerformanceFilter,
): Promise<Conditions | undefined> {
  const projects = await projectIdsOf(deps, grant)
  if (projects.length === 0) return undefined
  const params: Record<string, unknown> = {
    projects,
    // Nothing is stored of later, and the engine refuses years of five digits.
    from: Math.min(filter.fromMs, LAST_DAY_MS),
    to: Math.min(filter.toMs, LAST_DAY_MS),
    weekFrom: dayText(Math.max(0, filter.fromMs - MAX_AHEAD_MS)),
  }
  const parts = [
    'project_id IN {projects:Array(UInt32)}',
    sinceWeek('toMonday({weekFrom:Date})'),
    'timestamp >= {from:DateTime64(3)}',
    'timestamp < {to:DateTime64(3)}',
  ]
  for (const column of FILTER_COLUMNS) {
    const values = filter[column]
    if (values === undefined || values.length === 0) continue
    params[column] = values
    parts.push(`${column} IN {${column}:Array(String)}`)
  }
  return { sql: parts.join(' AND '), params }
}

/** How many a sampled row stands for, as the whole number that weighted quantiles take. */
export { ROW_WEIGHT as WEIGHT } from '@sonde/stores'
