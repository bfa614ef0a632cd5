/** Navigations that the router gave up and handed to the browser, by the reason it told. */
import type { Grant } from '@sonde/access'
import type { QueryDeps } from '../query-deps.ts'
import { navigationConditions, type NavigationFilter, SHARE_SQL } from './navigation-filter.ts'

export type FullLoads = {
  /** In the router's words: `timeout`, `server`, `build`; empty where nobody told. */
  readonly reason: string
  readonly count: number
  readonly users: number
  /** Routes that were asked for, the most frequent first; at most three. */
  readonly routes: readonly string[]
  readonly lastMs: number
  /** The latest of them. */
  readonly navigationId: string
  readonly traceId: string
}

const MAX_REASONS = 50

/** Most frequent first. */
export async function fullLoads(
  deps: Pick<QueryDeps, 'records' | 'telemetry'>,
  grant: Grant<'event:read', 'org' | 'project'>,
  input: NavigationFilter,
): Promise<FullLoads[]> {
  const where = await navigationConditions(deps, grant, input)
  if (where === undefined) return []
  const rows = await deps.telemetry.query<FullLoads>(
    `SELECT reason, sum(${SHARE_SQL}) AS count, uniqIf(user_key, user_key != '') AS users, topK(3)(to_route) AS routes,
       toUnixTimestamp64Milli(max(timestamp)) AS lastMs,
       argMax(navigation_id, timestamp) AS navigationId, argMax(trace_id, timestamp) AS traceId
     FROM navigations FINAL WHERE ${where.sql} AND outcome = 'full_load'
     GROUP BY reason ORDER BY count DESC, reason LIMIT ${MAX_REASONS}`,
    where.params,
  )
  return rows.map((row) => ({ ...row, count: Math.round(row.count) }))
}
