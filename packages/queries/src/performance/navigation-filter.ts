/** Which navigations are asked for, and what their columns mean together. */
import type { Grant } from '@sonde/access'
import { STUCK_AFTER_MS } from '@sonde/protocol/navigation'
import type { QueryDeps } from '../query-deps.ts'
import { type Conditions, performanceConditions, type PerformanceFilter } from './performance-filter.ts'

export type NavigationFilter = PerformanceFilter & {
  /** Only those from and to this route template. */
  readonly from?: string | undefined
  readonly to?: string | undefined
  /** Of `navigationPart`: only this part of them is read, and counted up. All unless told. */
  readonly part?: number | undefined
}

export async function navigationConditions(
  deps: Pick<QueryDeps, 'records'>,
  grant: Grant<'event:read', 'org' | 'project'>,
  filter: NavigationFilter,
): Promise<Conditions | undefined> {
  const where = await performanceConditions(deps, grant, filter)
  if (where === undefined) return undefined
  const { from, to, part = 1 } = filter
  const parts = [
    where.sql,
    ...(part < 1 ? [`navigation_id < '${idsBelow(part)}'`] : []),
    ...(from === undefined ? [] : ['from_route = {fromRoute:String}']),
    ...(to === undefined ? [] : ['to_route = {toRoute:String}']),
  ]
  const params = { ...where.params, fromRoute: from ?? '', toRoute: to ?? '', standsFor: 1 / part }
  return { sql: parts.join(' AND '), params }
}

/** The first id that is not of the part, as 16 hex. `part`: a power of two. */
export const idsBelow = (part: number): string =>
  (part * 65_536).toString(16).padStart(4, '0').padEnd(16, '0')

/** What a person waited; without paint timing the whole of the record. */
export const SEEN_AFTER_SQL = 'ifNull(visible_after_ms, toFloat32(duration_ms))'

/** Still on its way, given up by the reporter, or longer than anybody waits: whatever came of it. */
export const HUNG_SQL = `(outcome IN ('pending', 'timed_out') OR (duration_ms >= ${STUCK_AFTER_MS} AND outcome NOT IN ('superseded', 'redirected')))`

/** The person went away before the page was there. Being held back by the page itself ("unsaved changes") is no leaving. */
export const LEFT_SQL = `(outcome = 'left' OR (outcome = 'aborted' AND reason != 'blocked'))`

/** Somebody waited for its page: a redirect has a record of its own for that, and who pressed something else did not wait. */
export const WAITED_FOR_SQL = `(outcome NOT IN ('redirected', 'superseded') AND NOT (outcome = 'aborted' AND reason = 'blocked'))`

/** A row stands for so many; needs the parameters of `navigationConditions`. */
export const SHARE_SQL = '{standsFor:Float64} / sample_rate'
