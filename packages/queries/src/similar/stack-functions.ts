/** Which functions of the application stood on the stack, for some issues at once. */
import type { NormalizedEvent } from '@sonde/protocol/event'
import type { QueryDeps } from '../query-deps.ts'

/** A recursion has thousands of frames and few functions. */
const MAX_FUNCTIONS = 60

/**
 * Of each issue's newest event: issue id → `module:function`. An issue whose event is not kept is missing. Two reads
 * along ordering keys, a granule each: meant for a dozen issues.
 */
export async function stackFunctions(
  { telemetry }: Pick<QueryDeps, 'telemetry'>,
  projectId: number,
  issues: readonly { readonly id: number; readonly lastEventId: string }[],
): Promise<ReadonlyMap<number, ReadonlySet<string>>> {
  const eventIds = issues.map((issue) => issue.lastEventId).filter((id) => /^[0-9a-f]{32}$/.test(id))
  if (eventIds.length === 0) return new Map()
  const places = await telemetry.query<{ issue: number; ms: number }>(
    `SELECT issue_id AS issue, toUnixTimestamp64Milli(timestamp) AS ms FROM event_index
     WHERE project_id = {project:UInt32} AND event_id IN {events:Array(String)}`,
    { project: projectId, events: eventIds },
  )
  if (places.length === 0) return new Map()
  const rows = await telemetry.query<{ issue: number; payload: string }>(
    `SELECT issue_id AS issue, payload FROM events
     WHERE project_id = {project:UInt32} AND issue_id IN {issues:Array(UInt64)}
       AND timestamp IN arrayMap(ms -> fromUnixTimestamp64Milli(ms, 'UTC'), {times:Array(Int64)})
       AND event_id IN {events:Array(String)}`,
    {
      project: projectId,
      issues: places.map(({ issue }) => issue),
      times: places.map(({ ms }) => ms),
      events: eventIds,
    },
  )
  return new Map(
    rows.map(({ issue, payload }) => [issue, functionsOf(JSON.parse(payload) as NormalizedEvent)]),
  )
}

function functionsOf({ exception = [], threads = [] }: NormalizedEvent): ReadonlySet<string> {
  const stacks = [...exception, ...threads.filter((thread) => thread.crashed || thread.current)]
  const names = stacks
    .flatMap(({ stacktrace }) => stacktrace?.frames ?? [])
    .filter((frame) => frame.in_app && frame.function !== undefined)
    .map((frame) => `${frame.module ?? frame.filename ?? ''}:${frame.function}`)
  return new Set(names.slice(-MAX_FUNCTIONS))
}
