/** Which navigations are asked for, and what their columns mean together. */
import type { Grant } from '@sonde/access'
import { STOCK_ROUTER_PREFIX, STUCK_AFTER_MS } from '@sonde/protocol/navigation'
import type { QueryDeps } from '../query-deps.ts'
import { sinceWeek } from '../weeks.ts'
import { type Conditions, performanceConditions, type PerformanceFilter } from './performance-filter.ts'

// Of very many navigations a part is read: ids are random and lead the ordering key, so the ids below a bound are a sample
// that costs its own share only, and every row of one navigation is in it or not.

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
     WHERE project_id IN {projects:Array(UInt32)} AND ${sinceWeek('toMonday({weekFrom:Date})')}
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

export type NavigationFilter = PerformanceFilter & {
  /** Only those from and to this route template. */
  readonly from?: string | undefined
  readonly to?: string | undefined
  /** Of `navigationPart`: only this part of them is read, and counted up. All unless told. */
  readonly part?: number | undefined
  /** By a recorder, or only by the root spans of Sentry's own SDK; by either unless told. */
  readonly toldBy?: 'recorder' | 'stock' | undefined
}

export async function navigationConditions(
  deps: Pick<QueryDeps, 'records'>,
  grant: Grant<'event:read', 'org' | 'project'>,
  filter: NavigationFilter,
): Promise<Conditions | undefined> {
  const where = await performanceConditions(deps, grant, filter)
  if (where === undefined) return undefined
  const { from, to, part = 1, toldBy } = filter
  const parts = [
    where.sql,
    ...(part < 1 ? [`navigation_id < '${idsBelow(part)}'`] : []),
    ...(toldBy === undefined ? [] : [toldBy === 'stock' ? STOCK_SQL : `NOT ${STOCK_SQL}`]),
    ...(from === undefined ? [] : ['from_route = {fromRoute:String}']),
    ...(to === undefined ? [] : ['to_route = {toRoute:String}']),
  ]
  const params = { ...where.params, fromRoute: from ?? '', toRoute: to ?? '', standsFor: 1 / part }
  return { sql: parts.join(' AND '), params }
}

/** The first id that is not of the part, as 16 hex. `part`: a power of two. */
export const idsBelow = (part: number): string =>
  (part * 65_536).toString(16).padStart(4, '0').padEnd(16, '0')

/** Only the root span of Sentry's own SDK tells of it: how it ended is not known, and its length is that of the span. */
const STOCK_SQL = `startsWith(router, '${STOCK_ROUTER_PREFIX}')`

/** What a person waited; without paint timing the whole of the record. */
export const SEEN_AFTER_SQL = 'ifNull(visible_after_ms, toFloat32(duration_ms))'

/** Still on its way, given up by the reporter, or longer than anybody waits: whatever came of it. */
export const HUNG_SQL = `(outcome IN ('pending', 'timed_out') OR (duration_ms >= ${STUCK_AFTER_MS} AND outcome NOT IN ('superseded', 'redirected', 'unknown')))`

/** The person went away before the page was there. Being held back by the page itself ("unsaved changes") is no leaving. */
export const LEFT_SQL = `(outcome = 'left' OR (outcome = 'aborted' AND reason != 'blocked'))`

/**
 * Somebody waited for its page, and how that ended is known: a redirect has a record of its own for that, and who pressed something else did
 * not wait.
 */
export const WAITED_FOR_SQL = `(outcome NOT IN ('redirected', 'superseded', 'unknown') AND NOT (outcome = 'aborted' AND reason = 'blocked'))`

/** A row stands for so many; needs the parameters of `navigationConditions`. */
export const SHARE_SQL = '{standsFor:Float64} / sample_rate'
