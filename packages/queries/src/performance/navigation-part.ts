/**
 * Of very many navigations a part is read: ids are random and lead the ordering key, so the ids below a bound are a sample
 * that costs its own share only, and every row of one navigation is in it or not.
 */
import type { Grant } from '@sonde/access'
import type { QueryDeps } from '../query-deps.ts'
import { idsBelow, navigationConditions, type NavigationFilter } from './navigation-filter.ts'

/** Looked through, whatever their time: a core takes about 50 ms for each question. */
const MANY_ROWS = 100_000
/** Within the time that is asked for: with so many, shares are within a point and percentiles within some per cent. */
const ENOUGH_ROWS = 10_000
/** Looked at to count: a sixteenth of the ids. */
const PROBED = 1 / 16
const SMALLEST = 1 / 256

/** Of the ids, 0 to 1; 1 is all of them. A power of two, so that equal questions have equal answers. */
export async function navigationPart(
  deps: Pick<QueryDeps, 'records' | 'telemetry'>,
  grant: Grant<'event:read', 'org' | 'project'>,
  filter: NavigationFilter,
): Promise<number> {
  const where = await navigationConditions(deps, grant, { ...filter, part: PROBED })
  if (where === undefined) return 1
  // Ids lead the key, so a short time is looked for in all rows of its weeks.
  const [row] = await deps.telemetry.query<{ readonly all: number; readonly matching: number }>(
    `SELECT count() AS all, countIf(${where.sql}) AS matching FROM navigations
     WHERE project_id IN {projects:Array(UInt32)} AND _partition_value.1 >= toMonday({weekFrom:Date})
       AND navigation_id < '${idsBelow(PROBED)}'`,
    where.params,
  )
  return partOf((row?.all ?? 0) / PROBED, (row?.matching ?? 0) / PROBED)
}

/** `all`: rows that would be looked through; `matching`: of them, those that answer. */
export function partOf(all: number, matching: number): number {
  let part = 1
  while (part > SMALLEST && all * part > MANY_ROWS && matching * part > 2 * ENOUGH_ROWS) part /= 2
  return part
}
