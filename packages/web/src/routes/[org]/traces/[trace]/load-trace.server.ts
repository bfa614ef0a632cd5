/** Everything the screen of a trace is sent at once; details of a span are asked for when it is chosen. */
import type { Grant } from '@sonde/access'
import {
  type QueryDeps,
  traceNavigations,
  traceNeighbours,
  type TraceOutline,
  traceOutline,
  type TraceVital,
  traceVitals,
} from '@sonde/queries'
import { VITAL_THRESHOLDS, type VitalName } from '@sonde/protocol/web-vitals'
import { type LaidOutTrace, layOutTrace } from '../../../../parts/trace/lay-out-trace.ts'
import { type TraceRows, unpackRows } from '../../../../parts/trace/packed-trace.ts'

const SPAN = /^[0-9a-f]{16}$/i

/** Undefined when nothing of the trace is there. `root`: only that span and what is below it. */
export async function loadTrace(
  queries: QueryDeps,
  grant: Grant<'event:read', 'org' | 'project'>,
  { traceId, root }: { readonly traceId: string; readonly root: string | undefined },
) {
  const part = root !== undefined && SPAN.test(root) ? root.toLowerCase() : undefined
  const [outline, vitals, navigations] = await Promise.all([
    traceOutline(queries, grant, { traceId, within: part }),
    traceVitals(queries, grant, traceId),
    traceNavigations(queries, grant, traceId),
  ])
  if (!outline) return undefined
  const neighbours = await traceNeighbours(queries, grant, outline)
  const { rowOf, beginMs, ...laidOut } = layOutTrace(outline, { root: part })
  const rows = unpackRows(laidOut.rows)
  const isPart = part !== undefined && rows.ids[0] === part
  const firstMs = beginMs || outline.errors[0]?.timestampMs || 0
  const slugOf = (projectId: number): string => outline.projects.get(projectId)?.slug ?? ''
  return {
    ...laidOut,
    traceId: outline.traceId,
    beginMs: firstMs,
    spanCount: outline.spanCount,
    /** Fewer than `spanCount`: of the rest not even the parents are known. */
    readCount: outline.spans.length,
    root: isPart ? part : undefined,
    projects: [...outline.projects.values()].map(({ slug }) => slug),
    neighbours,
    errors: errorsOf(outline, { rowOf, beginMs: firstMs }),
    vitals: vitals.map((vital) => ({
      name: vital.name,
      value: vital.value,
      element: vital.element,
      thresholds: VITAL_THRESHOLDS[vital.name],
      atMs: placeOfVital(vital, { rows, rowOf, beginMs: firstMs, lengthMs: laidOut.lengthMs }),
    })),
    navigations: navigations.map(({ projectId, atMs, ...navigation }) => ({
      ...navigation,
      project: slugOf(projectId),
      atMs: atMs - firstMs,
    })),
  }
}
export type TraceData = NonNullable<Awaited<ReturnType<typeof loadTrace>>>

type Placing = Pick<LaidOutTrace, 'rowOf' | 'beginMs'>

/** Only those of the part that is shown have a line. */
function errorsOf({ errors, projects }: TraceOutline, { rowOf, beginMs }: Placing) {
  return errors.map(({ projectId, timestampMs, spanId, ...error }) => ({
    ...error,
    project: projects.get(projectId)?.slug ?? '',
    row: rowOf.get(spanId) ?? -1,
    atMs: timestampMs - beginMs,
  }))
}

/** What is counted from the begin of its page. */
const FROM_PAGE: ReadonlySet<VitalName> = new Set(['lcp', 'fcp', 'ttfb'])
const PAGE_OPS: ReadonlySet<string> = new Set(['pageload', 'navigation'])

/** Where on the axis: a paint its value after the page's begin, an interaction where it was. Null: shifts have no place. */
function placeOfVital(
  { name, value, pageId, spanId, atMs }: TraceVital,
  { rows, rowOf, beginMs, lengthMs }: Placing & { readonly rows: TraceRows; readonly lengthMs: number },
): number | null {
  const within = (ms: number): number | null => (ms >= 0 && ms <= lengthMs ? ms : null)
  if (!FROM_PAGE.has(name)) return name === 'inp' ? within(atMs - beginMs) : null
  const isPage = (row: number | undefined): row is number =>
    row !== undefined && PAGE_OPS.has(rows.ops[row] ?? '')
  const page = [rowOf.get(pageId), rowOf.get(spanId), rows.ops.findIndex((op) => PAGE_OPS.has(op))].find(
    isPage,
  )
  return page === undefined ? null : within((rows.startsMs[page] ?? 0) + value)
}
