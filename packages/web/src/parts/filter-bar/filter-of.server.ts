/** The filter of the performance screens from the address: time, environments and the columns of the filter bar. */
import type { Grant } from '@sonde/access'
import {
  filterColumns,
  type FilterSource,
  type FilterValue,
  filterValues,
  type PerformanceFilter,
  type QueryDeps,
} from '@sonde/queries'
import { MEASURED_PERIOD } from '../../shell/time-range.ts'
import { isNarrowed, readEventFilter, spanOf } from '../event-filter/event-filter.ts'
import { CHOOSE, chosenOf, filterById, type FilterId } from './filter-state.ts'

const DAY_MS = 86_400_000

/** What arrives this very moment counts too; a chart of years to come would be empty but for its left edge. */
const MAX_AHEAD_MS = 60_000
/** Longer than anything is kept, and no more than a chart has bars for. */
const MAX_SPAN_MS = 20 * 365 * DAY_MS

/** Times that cannot be read are those that are usual: an old link should show something. Others are cut to those that can be. */
export function performanceFilterOf(params: URLSearchParams, nowMs: number): PerformanceFilter {
  const requested = readEventFilter(params)
  const span = spanOf(requested, nowMs) ?? spanOf({ ...requested, period: MEASURED_PERIOD }, nowMs)
  const lastMs = nowMs + MAX_AHEAD_MS
  const toMs = Math.max(1, Math.min(span?.toMs ?? lastMs, lastMs))
  const fromMs = Math.max(0, span?.fromMs ?? 0, toMs - MAX_SPAN_MS)
  return {
    fromMs: Math.min(fromMs, toMs - 1),
    toMs,
    ...filterColumns((column) => params.getAll(column)),
  }
}

/** Whether any filter is active. */
export const isFiltered = (params: URLSearchParams): boolean =>
  isNarrowed(readEventFilter(params)) || chosenOf(params).length > 0

export type FilterChoices = { readonly id: FilterId; readonly values: readonly FilterValue[] }

/** The values of the column that `?choose=` names; undefined when it names none, and so nothing is read. */
export async function filterChoices(
  queries: QueryDeps,
  grant: Grant<'event:read', 'org' | 'project'>,
  { params, nowMs, source }: { params: URLSearchParams; nowMs: number; source: FilterSource },
): Promise<FilterChoices | undefined> {
  const filter = filterById(params.get(CHOOSE))
  if (!filter) return undefined
  const input = { ...performanceFilterOf(params, nowMs), source, column: filter.id }
  return { id: filter.id, values: await filterValues(queries, grant, input) }
}
