/** Where suggestions are taken from. */
import type { Grant } from '@sonde/access'
import type { QueryDeps } from '../query-deps.ts'
import { projectIdsOf } from '../project-ids.ts'
import { SearchError } from '../search/search-error.ts'
import { parsePeriodMs } from '../search/search-time.ts'

export type SuggestWithin = {
  /** `24h`, `14d`, …; two weeks unless told. */
  readonly statsPeriod?: string | undefined
  /** Only these projects of the grant. */
  readonly projectIds?: readonly number[] | undefined
  /** 1 to 100; 20 unless told. */
  readonly limit?: number | undefined
}

const DEFAULT_PERIOD = '14d'

/** Throws `SearchError` for a period that is none. */
export async function readWithin(
  deps: Pick<QueryDeps, 'records' | 'clock'>,
  grant: Grant<'event:read', 'org' | 'project'>,
  { statsPeriod, projectIds, limit = 20 }: SuggestWithin,
) {
  const periodMs = parsePeriodMs(statsPeriod || DEFAULT_PERIOD)
  if (!periodMs) throw new SearchError(`"${statsPeriod}" is not a period`, 0, 'For example 24h or 14d.')
  const visible = await projectIdsOf(deps, grant)
  return {
    projectIds: projectIds?.length ? visible.filter((id) => projectIds.includes(id)) : visible,
    sinceMs: Math.max(0, deps.clock.nowMs() - periodMs),
    limit: Math.min(100, Math.max(1, Math.trunc(limit) || 20)),
  }
}

/**
 * Those that contain the text, in any case; those that begin with it first, else in the given order. A single letter
 * is in nearly every name: with it only beginnings count.
 */
export function containing<Row>(
  rows: readonly Row[],
  text: string,
  nameOf: (row: Row) => string,
): readonly Row[] {
  const wanted = text.toLowerCase()
  const found = rows.filter((row) => nameOf(row).toLowerCase().includes(wanted))
  const begins = (row: Row): boolean => nameOf(row).toLowerCase().startsWith(wanted)
  const others = wanted.length === 1 ? [] : found.filter((row) => !begins(row))
  return [...found.filter((row) => begins(row)), ...others]
}
