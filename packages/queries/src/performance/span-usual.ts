/** How long a span of this name usually takes: what "slow" is to be measured by. */
import type { Grant } from '@sonde/access'
import type { QueryDeps } from '../query-deps.ts'
import { projectIdsOf } from '../project-ids.ts'
import type { SpanDetail } from './span-detail.ts'

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
