/** How large a trace is and where it lies in time: asked first, so that what follows reads no more than it must. */
import type { QueryDeps } from '../query-deps.ts'

export type TraceExtent = {
  /** Spans that are stored, whatever is read of them. */
  readonly count: number
  /** Unix milliseconds; both 0 when there is no span. */
  readonly beginMs: number
  readonly endMs: number
}

const TRACE = /^[0-9a-f]{32}$/

/** As SDKs, people and other tools write ids: with dashes, in upper case. Undefined: it is none. */
export function traceIdOf(text: string): string | undefined {
  const id = text.replaceAll('-', '').toLowerCase()
  return TRACE.test(id) ? id : undefined
}

/** For `WHERE`; a bloom filter on the id finds the granules. */
export const OF_TRACE = 'project_id IN {projects:Array(UInt32)} AND trace_id = {trace:FixedString(32)}'

export async function traceExtent(
  { telemetry }: Pick<QueryDeps, 'telemetry'>,
  projects: readonly number[],
  trace: string,
): Promise<TraceExtent> {
  const [row] = await telemetry.query<TraceExtent>(
    `SELECT count() AS count, toUnixTimestamp64Micro(min(timestamp)) / 1000 AS beginMs,
       max(toUnixTimestamp64Micro(timestamp) / 1000 + duration_ms) AS endMs
     FROM spans WHERE ${OF_TRACE}`,
    { projects, trace },
  )
  return row && row.count > 0 ? row : { count: 0, beginMs: 0, endMs: 0 }
}
