/** One trace: every span of it in the projects one may see, and the errors that happened in it. */
import type { Grant } from '@sonde/access'
import type { QueryDeps } from '../query-deps.ts'
import { projectIdsOf } from '../project-ids.ts'
import { type TraceError, traceErrors } from './trace-errors.ts'
import { OF_TRACE, traceExtent, traceIdOf } from './trace-extent.ts'

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
