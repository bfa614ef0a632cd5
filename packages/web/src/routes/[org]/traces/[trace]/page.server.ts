import { spanDetail, spanTree, traceById, traceVitals, VITAL_THRESHOLDS } from '@sonde/queries'
import { type LoadArgs, notFound } from '@sonde/router/server'
import type { AppContext } from '../../../../server/app-context.ts'
import { orgScope } from '../../../../server/page-scope.ts'
import { traceRows } from '../../../../trace/trace-rows.ts'

// A browser holds this many lines of data easily; the API gives all.
const MAX_ROWS = 10_000

export async function load(args: LoadArgs<AppContext, 'org' | 'trace'>) {
  const { queries } = args.context
  const scope = await orgScope(args, 'event:read')
  const [trace, vitals] = await Promise.all([
    traceById(queries, scope, args.params.trace),
    traceVitals(queries, scope, args.params.trace),
  ])
  if (!trace) return notFound()
  const { beginMs, lengthMs, rows } = traceRows(trace, spanTree(trace.spans))
  const spanId = args.url.searchParams.get('span') ?? undefined
  const span = spanId && (await spanDetail(queries, scope, { traceId: trace.traceId, spanId }))
  return {
    traceId: trace.traceId,
    beginMs: Number.isFinite(beginMs) ? beginMs : (trace.errors[0]?.timestampMs ?? 0),
    lengthMs,
    spanCount: rows.length,
    rows: rows.slice(0, MAX_ROWS),
    isCut: trace.isCut || rows.length > MAX_ROWS,
    projects: [...trace.projects.values()],
    vitals: vitals.map((vital) => ({ ...vital, thresholds: VITAL_THRESHOLDS[vital.name] })),
    errors: trace.errors.map((error) => ({
      ...error,
      project: trace.projects.get(error.projectId)?.slug ?? '',
    })),
    span: span || undefined,
  }
}
