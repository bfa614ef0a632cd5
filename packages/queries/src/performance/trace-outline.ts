/** A trace as its screen shows it: what each line needs and no more; details of a span are asked for when it is chosen. */
import type { Grant } from '@sonde/access'
import { projectIdsOf, type QueryDeps } from '../query-deps.ts'
import { resolveScripts } from '../scripts/resolve-scripts.ts'
import { positionOfSpan } from '../scripts/script-position.ts'
import { type TraceError, traceErrors } from './issues-of-traces.ts'
import { BY_WEIGHT, OF_TRACE, traceExtent, traceIdOf, type TraceProject, traceProjects } from './trace.ts'

/** What blocked the page in a trace: long animation frames by the function that ran longest, instead of all by one name. */
const LONG_FRAME_OP = 'ui.long-animation-frame'
/** The longest: each may be a place in another script. */
const MAX_FRAMES = 50

type ScriptsRow = {
  readonly projectId: number
  readonly spanId: string
  readonly release: string
  readonly strings: Readonly<Record<string, string>>
  readonly numbers: Readonly<Record<string, number>>
}

/** `recalcTotals src/cart/recalc.ts:88` by span id, of those whose source is known. */
async function namesOfLongFrames(
  deps: Pick<QueryDeps, 'records' | 'telemetry' | 'clock' | 'resolvePositions'>,
  projects: readonly number[],
  trace: string,
): Promise<ReadonlyMap<string, string>> {
  if (deps.resolvePositions === undefined) return new Map()
  const rows = await deps.telemetry.query<ScriptsRow>(
    `SELECT project_id AS projectId, toString(span_id) AS spanId, release, strings, numbers
     FROM spans WHERE ${OF_TRACE} AND is_segment = 0 AND op = '${LONG_FRAME_OP}'
     ORDER BY duration_ms DESC, span_id LIMIT ${MAX_FRAMES}`,
    { projects, trace },
  )
  const answers = await resolveScripts(
    deps,
    rows.map(({ projectId, release, strings, numbers }) =>
      positionOfSpan({ projectId, release }, { ...strings, ...numbers }),
    ),
  )
  return new Map(
    rows.flatMap(({ spanId }, at) => {
      const place = answers[at]
      if (!place?.ok) return []
      const where = `${place.source}:${place.line}`
      return [[spanId, place.functionName === undefined ? where : `${place.functionName} ${where}`] as const]
    }),
  )
}

export type OutlineSpan = {
  readonly projectId: number
  readonly spanId: string
  readonly parentSpanId: string
  readonly segmentId: string
  readonly isSegment: boolean
  /** Unix milliseconds with a fraction. */
  readonly startMs: number
  readonly durationMs: number
  readonly op: string
  /** At most 200 characters. Of a long animation frame what ran longest in it, where its source is known. */
  readonly name: string
  readonly status: string
  readonly platform: string
}

/** What the root of a service or page says beside its times. */
export type OutlineSegment = {
  readonly spanId: string
  readonly startMs: number
  readonly projectId: number
  readonly op: string
  /** As OpenTelemetry names services; empty when nobody said. */
  readonly service: string
  /** The trace of the page before this one; empty when none is known. */
  readonly previousTrace: string
}

export type TraceOutline = {
  readonly traceId: string
  readonly projects: ReadonlyMap<number, TraceProject>
  /** By start. */
  readonly spans: readonly OutlineSpan[]
  /** How many are stored: more than `spans` when the trace is larger than is read. */
  readonly spanCount: number
  readonly segments: readonly OutlineSegment[]
  readonly errors: readonly TraceError[]
}

// Half a second of reading and laying out; a trace of more is a loop, whose spans resemble each other.
const MAX_SPANS = 50_000
const MAX_NAME = 200
const MAX_SEGMENTS = 1_000

export type TraceOutlineInput = {
  readonly traceId: string
  /** Of a trace that is larger than is read: those that began while this span ran. */
  readonly within?: string | undefined
  readonly maxSpans?: number
}

/** Undefined when nothing of it is there, or nothing that one may see. */
export async function traceOutline(
  deps: Pick<QueryDeps, 'records' | 'telemetry' | 'clock' | 'resolvePositions'>,
  grant: Grant<'event:read', 'org' | 'project'>,
  { traceId, within, maxSpans = MAX_SPANS }: TraceOutlineInput,
): Promise<TraceOutline | undefined> {
  const trace = traceIdOf(traceId)
  const projects = await projectIdsOf(deps, grant)
  if (trace === undefined || projects.length === 0) return undefined
  const extent = await traceExtent(deps, projects, trace)
  const [spans, segments, errors] = await Promise.all([
    extent.count === 0
      ? []
      : outlineSpans(deps, { projects, trace, max: maxSpans }, extent.count > maxSpans, within),
    extent.count === 0 ? [] : outlineSegments(deps, projects, trace),
    traceErrors(deps, projects, trace, extent),
  ])
  if (spans.length === 0 && errors.length === 0) return undefined
  const [named, scripts] = await Promise.all([
    traceProjects(deps, [...spans, ...errors]),
    spans.some(({ op }) => op === LONG_FRAME_OP) ? namesOfLongFrames(deps, projects, trace) : undefined,
  ])
  const shown =
    scripts === undefined || scripts.size === 0
      ? spans
      : spans.map((span) => ({ ...span, name: scripts.get(span.spanId)?.slice(0, MAX_NAME) ?? span.name }))
  return { traceId: trace, projects: named, spans: shown, spanCount: extent.count, segments, errors }
}

type Row = readonly [
  projectId: number,
  spanId: string,
  parentSpanId: string,
  segmentId: string,
  isSegment: number,
  startMs: number,
  durationMs: number,
  op: string,
  name: string,
  status: string,
  platform: string,
]

async function outlineSpans(
  deps: Pick<QueryDeps, 'telemetry'>,
  params: { readonly projects: readonly number[]; readonly trace: string; readonly max: number },
  isCut: boolean,
  within: string | undefined,
): Promise<OutlineSpan[]> {
  const time = isCut && within !== undefined ? await timeOf(deps, params, within) : undefined
  // As lists: the names of eleven columns in each row would be most of the answer.
  const rows = await deps.telemetry.query<{ readonly row: Row }>(
    `SELECT tuple(project_id, toString(span_id), parent_span_id, segment_id, is_segment,
       toUnixTimestamp64Micro(timestamp) / 1000, duration_ms, op,
       substringUTF8(if(name = '', segment_name, name), 1, ${MAX_NAME}), status, platform) AS row
     FROM spans WHERE ${OF_TRACE}
       ${time ? 'AND timestamp >= {from:DateTime64(3)} AND timestamp <= {to:DateTime64(3)}' : ''}
     ORDER BY ${isCut ? BY_WEIGHT : 'timestamp, duration_ms DESC, span_id'} LIMIT {max:UInt32}`,
    { ...params, ...time },
  )
  const spans = rows.map(({ row }): OutlineSpan => {
    const [projectId, spanId, parentSpanId, segmentId, isSegment, startMs, durationMs, ...texts] = row
    const [op, name, status, platform] = texts
    const ids = { projectId, spanId, parentSpanId, segmentId, isSegment: isSegment === 1 }
    return { ...ids, startMs, durationMs, op, name, status, platform }
  })
  return isCut ? spans.toSorted((a, b) => a.startMs - b.startMs || b.durationMs - a.durationMs) : spans
}

/** Whole milliseconds around it, and what a child may outlive its parent by. */
async function timeOf(
  { telemetry }: Pick<QueryDeps, 'telemetry'>,
  params: { readonly projects: readonly number[]; readonly trace: string },
  span: string,
): Promise<{ readonly from: number; readonly to: number } | undefined> {
  const [row] = await telemetry.query<{ readonly from: number; readonly length: number }>(
    `SELECT toUnixTimestamp64Milli(timestamp) AS from, duration_ms AS length
     FROM spans WHERE ${OF_TRACE} AND toString(span_id) = {span:String} ORDER BY timestamp LIMIT 1`,
    { ...params, span },
  )
  return row && { from: row.from, to: row.from + Math.ceil(row.length) + OUTLIVES_MS }
}

const OUTLIVES_MS = 1_000

/** Attributes are read of roots only: of every span they would be most of the bytes. */
function outlineSegments(
  { telemetry }: Pick<QueryDeps, 'telemetry'>,
  projects: readonly number[],
  trace: string,
): Promise<OutlineSegment[]> {
  return telemetry.query<OutlineSegment>(
    `SELECT toString(span_id) AS spanId, toUnixTimestamp64Micro(timestamp) / 1000 AS startMs, project_id AS projectId,
       op, strings['service.name'] AS service, strings['sentry.previous_trace'] AS previousTrace
     FROM spans WHERE ${OF_TRACE} AND is_segment = 1
     ORDER BY timestamp, span_id LIMIT ${MAX_SEGMENTS}`,
    { projects, trace },
  )
}
