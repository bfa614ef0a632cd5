/** The page before and the page after: traces of one session, as the browser's SDK links them. */
import type { Grant } from '@sonde/access'
import type { QueryDeps } from '../query-deps.ts'
import { projectIdsOf } from '../project-ids.ts'
import type { OutlineSegment, TraceOutline } from './trace-outline.ts'

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
