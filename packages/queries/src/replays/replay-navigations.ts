/** Navigations of Sonde's own reporter while a replay was recorded: those of its traces. */
import type { QueryDeps } from '../query-deps.ts'
import { sinceWeek } from '../weeks.ts'
import type { Replay } from './replay-sums.ts'

export type ReplayNavigation = {
  readonly navigationId: string
  readonly atMs: number
  readonly durationMs: number
  readonly to: string
  readonly trigger: string
  readonly outcome: string
  readonly reason: string
  /** Milliseconds for which it waited for page data; null: it needed none. */
  readonly dataMs: number | null
  readonly prefetch: string
  readonly cache: string
}

const MAX_NAVIGATIONS = 500
/** A page that was open when the recording began. */
const AROUND_MS = 60_000

/** By time. Reads the weeks since, by the index on traces. */
export async function replayNavigations(
  { telemetry }: Pick<QueryDeps, 'telemetry'>,
  { projectId, traceIds, startedMs, finishedMs }: Replay,
): Promise<readonly ReplayNavigation[]> {
  if (traceIds.length === 0) return []
  return await telemetry.query<ReplayNavigation>(
    `SELECT toString(navigation_id) AS navigationId,
       toUnixTimestamp64Milli(timestamp) AS atMs, duration_ms AS durationMs,
       if(to_route = '', to_path, to_route) AS to, trigger, outcome, reason, data_ms AS dataMs, prefetch, cache
     FROM navigations FINAL
     WHERE project_id = {project:UInt32} AND trace_id IN {traces:Array(String)}
       AND ${sinceWeek('toMonday({day:Date})')}
       AND timestamp >= {from:DateTime64(3)} AND timestamp <= {to:DateTime64(3)}
     ORDER BY atMs, navigationId LIMIT ${MAX_NAVIGATIONS}`,
    {
      project: projectId,
      traces: traceIds,
      day: new Date(Math.max(0, startedMs - AROUND_MS)).toISOString().slice(0, 10),
      from: Math.max(0, startedMs - AROUND_MS),
      to: finishedMs + AROUND_MS,
    },
  )
}
