import type { Grant } from '@sonde/access'
import { VITAL_THRESHOLDS, type VitalName } from '@sonde/protocol/web-vitals'
import {
  type QueryDeps,
  replaysOfTrace,
  traceNavigations,
  traceNeighbours,
  type TraceOutline,
  traceOutline,
  type TraceVital,
  traceVitals,
} from '@sonde/queries'
import { type LoadArgs, notFound } from '@sonde/router/server'
import { orgGrant } from '../../../../parts/access/page-grant.server.ts'
import { type LaidOutTrace, layOutTrace } from '../../../../parts/trace/lay-out-trace.server.ts'
import { type TraceRows, unpackRows } from '../../../../parts/trace/packed-trace.ts'
import type { AppContext } from '../../../../server/app-context.server.ts'
import { loadSpan } from './load-span.server.ts'

export async function load(args: LoadArgs<AppContext, 'org' | 'trace'>) {
  const { queries } = args.context
  const grant = await orgGrant(args, 'event:read')
  const { searchParams } = args.url
  const traceId = args.params.trace
  const spanId = searchParams.get('span')
  const [trace, span] = await Promise.all([
    loadTrace(queries, grant, { traceId, root: searchParams.get('root') ?? undefined }),
    spanId === null ? undefined : loadSpan(queries, grant, { traceId, spanId }),
  ])
  return trace ? { ...trace, span } : notFound()
}

const SPAN = /^[0-9a-f]{16}$/i

/** Undefined when nothing of the trace is stored. `root`: only that span and its descendants. Details of a span load on their own. */
async function loadTrace(
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
  const replays =
    'projectId' in grant
      ? []
      : await replaysOfTrace(queries, grant, { traceId: outline.traceId, atMs: firstMs })
  const slugOf = (projectId: number): string => outline.projects.get(projectId)?.slug ?? ''
  return {
    ...laidOut,
    traceId: outline.traceId,
    beginMs: firstMs,
    spanCount: outline.spanCount,
    /** When fewer than `spanCount`, the rest was not read at all. */
    readCount: outline.spans.length,
    root: isPart ? part : undefined,
    projects: [...outline.projects.values()].map(({ slug }) => slug),
    neighbours,
    replays,
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

/** Only errors in the shown part have a row. */
function errorsOf({ errors, projects }: TraceOutline, { rowOf, beginMs }: Placing) {
  return errors.map(({ projectId, timestampMs, spanId, ...error }) => ({
    ...error,
    project: projects.get(projectId)?.slug ?? '',
    row: rowOf.get(spanId) ?? -1,
    atMs: timestampMs - beginMs,
  }))
}

/** Vitals that count from the start of their page. */
const FROM_PAGE: ReadonlySet<VitalName> = new Set(['lcp', 'fcp', 'ttfb'])
const PAGE_OPS: ReadonlySet<string> = new Set(['pageload', 'navigation'])

/** Place on the axis: a paint its value after the start of the page, an interaction when it happened. Null: shifts have no place. */
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
