/** Loads that hung, and those that people did not wait for: between which routes, and what had not answered. */
import type { Grant } from '@sonde/access'
import type { QueryDeps } from '../query-deps.ts'
import {
  HUNG_SQL,
  LEFT_SQL,
  navigationConditions,
  type NavigationFilter,
  SHARE_SQL,
} from './navigation-filter.ts'
import { WEIGHT } from './performance-filter.ts'

/** Navigations that the router gave up and handed to the browser, by the reason it told. */
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

export type HungNavigations = {
  readonly from: string
  readonly to: string
  /** `/api/orders/[id], /api/cart`; empty: nothing was on its way, or the reporter is older than that. */
  readonly waitingFor: string
  readonly count: number
  readonly hung: number
  readonly left: number
  /** Of the hung ones: shown in the end, so late that nobody may have looked. */
  readonly shownLate: number
  readonly users: number
  /** Milliseconds that people waited; of those under way as far as was told. */
  readonly medianMs: number
  readonly maxMs: number
  readonly lastMs: number
  /** The latest of them. */
  readonly navigationId: string
  readonly traceId: string
}
export type HungNavigationsInput = NavigationFilter & { readonly limit?: number }

const MAX_ROWS = 200

/** Most frequent first; one row for a pair of routes and what it waited for. */
export async function hungNavigations(
  deps: Pick<QueryDeps, 'records' | 'telemetry'>,
  grant: Grant<'event:read', 'org' | 'project'>,
  input: HungNavigationsInput,
): Promise<HungNavigations[]> {
  const where = await navigationConditions(deps, grant, input)
  if (where === undefined) return []
  const rows = await deps.telemetry.query<Row>(
    `SELECT from_route AS fromRoute, to_route AS toRoute, waiting_for AS waitingFor,
       sum(${SHARE_SQL}) AS count, sumIf(${SHARE_SQL}, ${HUNG_SQL}) AS hung, sumIf(${SHARE_SQL}, ${LEFT_SQL}) AS left,
       sumIf(${SHARE_SQL}, ${HUNG_SQL} AND outcome = 'committed') AS shownLate,
       uniqIf(user_key, user_key != '') AS users,
       quantileBFloat16Weighted(0.5)(duration_ms, ${WEIGHT}) AS medianMs, max(duration_ms) AS maxMs,
       toUnixTimestamp64Milli(max(timestamp)) AS lastMs,
       argMax(navigation_id, timestamp) AS navigationId, argMax(trace_id, timestamp) AS traceId
     FROM navigations FINAL WHERE ${where.sql} AND (${HUNG_SQL} OR ${LEFT_SQL})
     GROUP BY fromRoute, toRoute, waitingFor
     ORDER BY count DESC, lastMs DESC, fromRoute, toRoute LIMIT {rows:UInt32}`,
    { ...where.params, rows: Math.min(input.limit ?? 50, MAX_ROWS) },
  )
  return rows.map(({ fromRoute, toRoute, ...row }) => ({
    ...row,
    from: fromRoute,
    to: toRoute,
    count: Math.round(row.count),
    hung: Math.round(row.hung),
    left: Math.round(row.left),
    shownLate: Math.round(row.shownLate),
  }))
}

type Row = Omit<HungNavigations, 'from' | 'to'> & { readonly fromRoute: string; readonly toRoute: string }
