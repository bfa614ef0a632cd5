/** One trace: every span of it in the projects one may see, and the errors that happened in it. */
import type { QueryDeps } from '../query-deps.ts'
import { type AnyScope, projectIdsOf } from '../scope-projects.ts'

export type TraceProject = { readonly id: number; readonly slug: string; readonly name: string }
export type TraceSpan = {
  readonly projectId: number
  readonly spanId: string
  readonly parentSpanId: string
  readonly segmentId: string
  readonly isSegment: boolean
  /** Unix milliseconds with a fraction. */
  readonly startMs: number
  readonly durationMs: number
  readonly op: string
  readonly name: string
  readonly segmentName: string
  readonly status: string
  readonly origin: string
  readonly platform: string
  readonly release: string
  readonly environment: string
}
export type TraceError = {
  readonly projectId: number
  readonly issueId: number
  readonly eventId: string
  readonly timestampMs: number
  readonly spanId: string
  readonly level: string
  readonly title: string
}
export type Trace = {
  readonly traceId: string
  /** Of the spans and errors, by id. */
  readonly projects: ReadonlyMap<number, TraceProject>
  /** By start. */
  readonly spans: readonly TraceSpan[]
  readonly errors: readonly TraceError[]
  /** There are more than are given here. */
  readonly isCut: boolean
}

// What a screen can hold and a browser can take; a trace of more is a loop.
const MAX_SPANS = 50_000
const MAX_ERRORS = 500
const FORM = /^[0-9a-f]{32}$/
/** Errors are looked for around the spans: without times the whole table would be read. */
const AROUND_MS = 3_600_000
const WITHOUT_SPANS_MS = 30 * 86_400_000

/** Undefined when nothing of it is there. A bloom filter on the trace's id finds the granules. */
export async function traceById(
  deps: Pick<QueryDeps, 'records' | 'telemetry' | 'clock'>,
  scope: AnyScope,
  traceId: string,
): Promise<Trace | undefined> {
  const id = traceId.replaceAll('-', '').toLowerCase()
  const projects = await projectIdsOf(deps, scope)
  if (!FORM.test(id) || projects.length === 0) return undefined
  const params = { projects, trace: id, limit: MAX_SPANS + 1 }
  const rows = await deps.telemetry.query<Omit<TraceSpan, 'isSegment'> & { readonly isSegment: number }>(
    `SELECT project_id AS projectId, toString(span_id) AS spanId, parent_span_id AS parentSpanId,
       segment_id AS segmentId, is_segment AS isSegment, toUnixTimestamp64Micro(timestamp) / 1000 AS startMs,
       duration_ms AS durationMs, op, name, segment_name AS segmentName, status, origin, platform, release, environment
     FROM spans WHERE project_id IN {projects:Array(UInt32)} AND trace_id = {trace:FixedString(32)}
     ORDER BY timestamp, span_id LIMIT {limit:UInt32}`,
    params,
  )
  const spans = rows.slice(0, MAX_SPANS).map((row) => ({ ...row, isSegment: row.isSegment === 1 }))
  const nowMs = deps.clock.nowMs()
  const first = spans[0]?.startMs ?? nowMs - WITHOUT_SPANS_MS
  const last =
    spans.length === 0 ? nowMs : spans.reduce((end, span) => Math.max(end, span.startMs + span.durationMs), 0)
  const errors = await deps.telemetry.query<TraceError>(
    `SELECT project_id AS projectId, issue_id AS issueId, toString(event_id) AS eventId, span_id AS spanId, level, title,
       toUnixTimestamp64Milli(timestamp) AS timestampMs
     FROM events
     WHERE project_id IN {projects:Array(UInt32)} AND timestamp >= {from:DateTime64(3)}
       AND timestamp < {to:DateTime64(3)} AND trace_id = {trace:String}
     ORDER BY timestampMs LIMIT ${MAX_ERRORS}`,
    { ...params, from: Math.max(0, first - AROUND_MS), to: last + AROUND_MS },
  )
  if (spans.length === 0 && errors.length === 0) return undefined
  const named = await projectsOf(
    deps,
    [...spans, ...errors].map(({ projectId }) => projectId),
  )
  return { traceId: id, projects: named, spans, errors, isCut: rows.length > MAX_SPANS }
}

async function projectsOf(
  { records }: Pick<QueryDeps, 'records'>,
  ids: readonly number[],
): Promise<ReadonlyMap<number, TraceProject>> {
  const rows = await records
    .selectFrom('project')
    .select(['id', 'slug', 'name'])
    .where('id', 'in', [...new Set(ids)])
    .execute()
  return new Map(rows.map((row) => [row.id, row]))
}
