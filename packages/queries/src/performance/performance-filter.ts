/** What the performance screens narrow by: the same columns on spans, vitals, navigations and prefetches. */
import type { Grant } from '@sonde/access'
import { FILTER_COLUMNS, type FilterColumn, type QueryParams } from '@sonde/stores'
import { MAX_FILTER_VALUES } from '../contract.ts'
import type { QueryDeps } from '../query-deps.ts'
import { projectIdsOf } from '../project-ids.ts'

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
    '_partition_value.1 >= toMonday({weekFrom:Date})',
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
