/** One trace: every span of it in the projects one may see, and the errors that happened in it. */
import type { Grant } from '@sonde/access'
import { projectIdsOf, type QueryDeps } from '../query-deps.ts'
import { type TraceError, traceErrors } from './issues-of-traces.ts'
import type { OutlineSegment, TraceOutline } from './trace-outline.ts'

/** The page before and the page after: traces of one session, as the browser's SDK links them. */
export type TraceNeighbours = {
  readonly previous: string | undefined
  readonly next: string | undefined
}

/** SDKs link pages that are at most this far apart. */
const LINKED_WITHIN_MS = 3_600_000
const PAGE_OPS: ReadonlySet<string> = new Set(['pageload', 'navigation'])
const LINK = /^([0-9a-f]{32})-[0-9a-f]{16}(?:-[01])?$/

/**
 * A page names the one before it (`sentry.previous_trace` of its root). The one after is looked for among roots of pages
 * of the same projects in the hour after; attributes are read of those only.
 */
export async function traceNeighbours(
  deps: Pick<QueryDeps, 'records' | 'telemetry'>,
  grant: Grant<'event:read', 'org' | 'project'>,
  { traceId, segments }: Pick<TraceOutline, 'traceId' | 'segments'>,
): Promise<TraceNeighbours> {
  const previous = segments.map(linkOf).find((id) => id !== undefined && id !== traceId)
  // Servers have no page after this one.
  const pages = segments.filter(({ op }) => PAGE_OPS.has(op))
  const first = pages.reduce<OutlineSegment | undefined>(
    (least, one) => (least === undefined || one.startMs < least.startMs ? one : least),
    undefined,
  )
  if (!first) return { previous, next: undefined }
  const allowed = await projectIdsOf(deps, grant)
  const projects = [...new Set(pages.map(({ projectId }) => projectId))].filter((id) => allowed.includes(id))
  if (projects.length === 0) return { previous, next: undefined }
  const [row] = await deps.telemetry.query<{ readonly trace: string }>(
    `SELECT toString(trace_id) AS trace FROM spans
     PREWHERE project_id IN {projects:Array(UInt32)} AND is_segment = 1 AND op IN ('pageload', 'navigation')
       AND timestamp >= {from:DateTime64(3)} AND timestamp < {to:DateTime64(3)}
     WHERE startsWith(strings['sentry.previous_trace'], {trace:String}) AND trace_id != {trace:FixedString(32)}
     ORDER BY timestamp LIMIT 1`,
    { projects, trace: traceId, from: first.startMs, to: first.startMs + 2 * LINKED_WITHIN_MS },
  )
  return { previous, next: row?.trace }
}

const linkOf = ({ previousTrace }: OutlineSegment): string | undefined => LINK.exec(previousTrace)?.[1]

/** How large a trace is and where it lies in time: asked first, so that what follows reads no more than it must. */
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
export type Trace = {
  readonly traceId: string
  /** Of the spans and errors, by id. */
  readonly projects: ReadonlyMap<number, TraceProject>
  /** By start. */
  readonly spans: readonly TraceSpan[]
  /** How many are stored. */
  readonly spanCount: number
  readonly errors: readonly TraceError[]
  /** There are more than are given here: those whose absence explains least are left out. */
  readonly isCut: boolean
}

// What a client can take as one JSON; a trace of more is a loop.
const MAX_SPANS = 50_000

/**
 * What a large trace keeps: roots of services, what failed, then what took longest. A parent takes at least as long
 * as what it waits for, so this is nearly closed under "parent of".
 */
export const BY_WEIGHT = `is_segment DESC, status NOT IN ('', 'ok', 'unknown', 'cancelled') DESC, duration_ms DESC, span_id`

/** Undefined when nothing of it is there. Upper-case ids and ids with dashes are the same trace. */
export async function traceById(
  deps: Pick<QueryDeps, 'records' | 'telemetry' | 'clock'>,
  grant: Grant<'event:read', 'org' | 'project'>,
  traceId: string,
  maxSpans = MAX_SPANS,
): Promise<Trace | undefined> {
  const trace = traceIdOf(traceId)
  const projects = await projectIdsOf(deps, grant)
  if (trace === undefined || projects.length === 0) return undefined
  const extent = await traceExtent(deps, projects, trace)
  const isCut = extent.count > maxSpans
  const [rows, errors] = await Promise.all([
    extent.count === 0
      ? []
      : deps.telemetry.query<Omit<TraceSpan, 'isSegment'> & { readonly isSegment: number }>(
          `SELECT project_id AS projectId, toString(span_id) AS spanId, parent_span_id AS parentSpanId,
             segment_id AS segmentId, is_segment AS isSegment, toUnixTimestamp64Micro(timestamp) / 1000 AS startMs,
             duration_ms AS durationMs, op, name, segment_name AS segmentName, status, origin, platform, release,
             environment
           FROM spans WHERE ${OF_TRACE}
           ORDER BY ${isCut ? BY_WEIGHT : 'timestamp, span_id'} LIMIT {max:UInt32}`,
          { projects, trace, max: maxSpans },
        ),
    traceErrors(deps, projects, trace, extent),
  ])
  if (rows.length === 0 && errors.length === 0) return undefined
  const spans = rows.map((row) => ({ ...row, isSegment: row.isSegment === 1 }))
  if (isCut) spans.sort((a, b) => a.startMs - b.startMs)
  const named = await traceProjects(deps, [...spans, ...errors])
  return { traceId: trace, projects: named, spans, spanCount: extent.count, errors, isCut }
}

export async function traceProjects(
  { records }: Pick<QueryDeps, 'records'>,
  rows: readonly { readonly projectId: number }[],
): Promise<ReadonlyMap<number, TraceProject>> {
  const ids = [...new Set(rows.map(({ projectId }) => projectId))]
  const found = await records
    .selectFrom('project')
    .select(['id', 'slug', 'name'])
    .where('id', 'in', ids)
    .execute()
  return new Map(found.map((row) => [row.id, row]))
}
