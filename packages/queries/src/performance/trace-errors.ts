/** The errors that happened in a trace, by time. */
import type { QueryDeps } from '../query-deps.ts'
import type { TraceExtent } from './trace-extent.ts'

export type TraceError = {
  readonly projectId: number
  readonly issueId: number
  readonly eventId: string
  readonly timestampMs: number
  readonly spanId: string
  readonly level: string
  readonly title: string
}

const MAX_ERRORS = 500
/** Errors are looked for around the spans: without times the whole table would be read. */
const AROUND_MS = 3_600_000
const WITHOUT_SPANS_MS = 30 * 86_400_000

/** At most 500. `extent`: of the trace's spans; without any, the last 30 days are looked through. */
export function traceErrors(
  { telemetry, clock }: Pick<QueryDeps, 'telemetry' | 'clock'>,
  projects: readonly number[],
  trace: string,
  { count, beginMs, endMs }: TraceExtent,
): Promise<TraceError[]> {
  const nowMs = clock.nowMs()
  const from = count > 0 ? beginMs - AROUND_MS : nowMs - WITHOUT_SPANS_MS
  const to = (count > 0 ? endMs : nowMs) + AROUND_MS
  return telemetry.query<TraceError>(
    `SELECT project_id AS projectId, issue_id AS issueId, toString(event_id) AS eventId, span_id AS spanId, level, title,
       toUnixTimestamp64Milli(timestamp) AS timestampMs
     FROM events
     WHERE project_id IN {projects:Array(UInt32)} AND timestamp >= {from:DateTime64(3)}
       AND timestamp < {to:DateTime64(3)} AND trace_id = {trace:String}
     ORDER BY timestampMs LIMIT ${MAX_ERRORS}`,
    { projects, trace, from: Math.max(0, from), to },
  )
}
