/** Everything that is stored of one span. */
import type { Grant } from '@sonde/access'
import { projectIdsOf, type QueryDeps } from '../query-deps.ts'
import { resolveScripts } from '../scripts/resolve-scripts.ts'
import {
  placeOf,
  positionOfSpan,
  type SourcePlace,
  type Unreadable,
  unreadableOf,
} from '../scripts/script-position.ts'
import { outgoingLinks, type SpanLink, type StoredLinks } from './span-links.ts'
import { OF_TRACE, traceIdOf } from './trace.ts'

/** How long a span of this name usually takes: what "slow" is to be measured by. */
export type UsualDuration = {
  /** Spans that were looked at, at most 10,000. */
  readonly count: number
  readonly p50Ms: number
  readonly p75Ms: number
  readonly p95Ms: number
}

const LAST_MS = 7 * 86_400_000
/** A percentile of so many is exact enough for a hint, and reading more would make choosing a span slow. */
const MAX_SPANS = 10_000
/** Fewer say nothing of what is usual. */
const MIN_SPANS = 5

/**
 * Of the spans with the same op and name in the same route of its project, in the seven days before it ended: one range
 * of the ordering key. Undefined when there are fewer than five.
 */
export async function usualDuration(
  deps: Pick<QueryDeps, 'records' | 'telemetry'>,
  grant: Grant<'event:read', 'org' | 'project'>,
  span: Pick<
    SpanDetail,
    'projectId' | 'isSegment' | 'op' | 'name' | 'segmentName' | 'startMs' | 'durationMs'
  >,
): Promise<UsualDuration | undefined> {
  const projects = await projectIdsOf(deps, grant)
  if (!projects.includes(span.projectId)) return undefined
  const to = span.startMs + span.durationMs + 1
  const from = Math.max(0, to - LAST_MS)
  const [row] = await deps.telemetry.query<{ readonly count: number; readonly levels: readonly number[] }>(
    `SELECT count() AS count, quantilesExact(0.5, 0.75, 0.95)(duration_ms) AS levels
     FROM (
       SELECT duration_ms FROM spans
       WHERE project_id = {project:UInt32} AND is_segment = {segment:UInt8} AND op = {op:String}
         AND segment_name = {route:String} AND name = {name:String}
         AND timestamp >= {from:DateTime64(3)} AND timestamp < {to:DateTime64(3)}
       LIMIT ${MAX_SPANS}
     )`,
    {
      project: span.projectId,
      segment: span.isSegment ? 1 : 0,
      op: span.op,
      route: span.segmentName,
      name: span.name,
      from,
      to,
    },
  )
  const [p50Ms = 0, p75Ms = 0, p95Ms = 0] = row?.levels ?? []
  return row && row.count >= MIN_SPANS ? { count: row.count, p50Ms, p75Ms, p95Ms } : undefined
}

export type SpanDetail = {
  readonly projectId: number
  readonly traceId: string
  readonly spanId: string
  readonly parentSpanId: string
  readonly name: string
  readonly op: string
  readonly status: string
  readonly origin: string
  /** Unix milliseconds as the sender's clock had it. */
  readonly startMs: number
  readonly durationMs: number
  readonly isSegment: boolean
  /** Name of the root that it belongs to. */
  readonly segmentName: string
  /** What filters look at: release, environment, browser, …; empty ones are left out. */
  readonly facts: Readonly<Record<string, string>>
  readonly attributes: Readonly<Record<string, string | number>>
  /** Spans that it names, in the order in which it does. */
  readonly links: readonly SpanLink[]
  /** Of a span that names a place in a script: where it was written. */
  readonly place: SourcePlace | undefined
  /** Why that is not known; undefined where it is, and where no place was named. */
  readonly unreadable: Unreadable | undefined
}

const SPAN = /^[0-9a-f]{16}$/
const FACTS = [
  'release',
  'environment',
  'platform',
  'browser',
  'os',
  'device',
  'country',
  'connection',
  'user_key',
  'sdk_name',
  'sdk_version',
] as const

/** Undefined when it is not there. Reads the granules that the trace's bloom filter names. */
export async function spanDetail(
  deps: Pick<QueryDeps, 'records' | 'telemetry' | 'clock' | 'resolvePositions'>,
  grant: Grant<'event:read', 'org' | 'project'>,
  { traceId, spanId }: { readonly traceId: string; readonly spanId: string },
): Promise<SpanDetail | undefined> {
  const projects = await projectIdsOf(deps, grant)
  const trace = traceIdOf(traceId)
  if (trace === undefined || !SPAN.test(spanId) || projects.length === 0) return undefined
  const [row] = await deps.telemetry.query<Row>(
    `SELECT project_id AS projectId, toString(span_id) AS spanId, parent_span_id AS parentSpanId, name, op, status,
       origin, toUnixTimestamp64Micro(timestamp) / 1000 AS startMs, duration_ms AS durationMs, is_segment AS isSegment,
       segment_name AS segmentName, ${FACTS.join(', ')}, strings, numbers,
       link_trace_ids AS linkTraceIds, link_span_ids AS linkSpanIds, link_attributes AS linkAttributes
     FROM spans WHERE ${OF_TRACE} AND span_id = {span:FixedString(16)} ORDER BY timestamp LIMIT 1`,
    { projects, trace, span: spanId },
  )
  if (!row) return undefined
  const { strings, numbers, isSegment, ...rest } = row
  const facts = FACTS.flatMap((fact) => (row[fact] === '' ? [] : [[fact.replace('_', ' '), row[fact]]]))
  const {
    projectId,
    spanId: id,
    parentSpanId,
    name,
    op,
    status,
    origin,
    startMs,
    durationMs,
    segmentName,
  } = rest
  const attributes = { ...strings, ...numbers }
  const position = positionOfSpan({ projectId, release: row.release }, attributes)
  const [[answer], links] = await Promise.all([
    resolveScripts(deps, [position]),
    outgoingLinks(deps, projects, row),
  ])
  return {
    projectId,
    traceId: trace,
    spanId: id,
    parentSpanId,
    name,
    op,
    status,
    origin,
    startMs,
    durationMs,
    isSegment: isSegment === 1,
    segmentName,
    facts: Object.fromEntries(facts) as Record<string, string>,
    attributes,
    links,
    place: placeOf(answer),
    unreadable: unreadableOf(answer, row.release),
  }
}

type Row = Omit<
  SpanDetail,
  'traceId' | 'facts' | 'attributes' | 'links' | 'isSegment' | 'place' | 'unreadable'
> & {
  readonly isSegment: number
} & StoredLinks & {
    readonly [Fact in (typeof FACTS)[number]]: string
  } & {
    readonly strings: Readonly<Record<string, string>>
    readonly numbers: Readonly<Record<string, number>>
  }
