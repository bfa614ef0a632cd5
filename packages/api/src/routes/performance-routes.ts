/**
 * Traces, web vitals and navigations. The trace has the shape of Sentry's events-trace endpoint; vitals and navigations
 * are ours (docs/reporter.md says what a navigation is).
 */
import {
  navigationPart,
  routeNavigations,
  type RoutePair,
  routeVitals,
  type RouteVitals,
  type SpanNode,
  spanTree,
  type Trace,
  traceById,
  type TraceError,
  type TraceSpan,
  VITAL_NAMES,
} from '@sonde/queries'
import {
  type Api,
  type ApiContext,
  type ApiOptions,
  orgGrant,
  pathParam,
  projectGrant,
} from '../api-context.ts'
import { limitParam, performanceParams, setSinglePage } from '../request-params.ts'

/** A trace as a tree: https://docs.sentry.io/api/explore/ names no public shape; this is what its clients read. */
type Node = SpanNode<TraceSpan>

type ErrorJson = {
  readonly event_id: string
  readonly issue_id: string
  readonly project_id: string
  readonly project_slug: string
  readonly title: string
  readonly level: string
  readonly timestamp: number
  readonly span: string
}

type SpanJson = {
  readonly event_id: string
  readonly event_type: 'span'
  readonly parent_span_id: string | null
  readonly project_id: string
  readonly project_slug: string
  readonly transaction: string
  readonly is_transaction: boolean
  readonly op: string
  readonly description: string
  readonly status: string
  readonly start_timestamp: number
  readonly end_timestamp: number
  readonly duration: number
  readonly children: readonly SpanJson[]
  readonly errors: readonly ErrorJson[]
  readonly occurrences: readonly []
}

/** Roots first; errors whose span is not there stand beside them under `orphan_errors`. */
function traceJson(trace: Trace) {
  const bySpan = Map.groupBy(trace.errors, ({ spanId }) => spanId)
  const known = new Set(trace.spans.map(({ spanId }) => spanId))
  const slugOf = (projectId: number): string => trace.projects.get(projectId)?.slug ?? ''
  const errorJson = (error: TraceError): ErrorJson => ({
    event_id: error.eventId,
    issue_id: String(error.issueId),
    project_id: String(error.projectId),
    project_slug: slugOf(error.projectId),
    title: error.title,
    level: error.level,
    timestamp: error.timestampMs / 1000,
    span: error.spanId,
  })
  // From the leaves up and without recursion: a chain of spans may be deeper than the stack.
  const done = new Map<Node, SpanJson>()
  const roots = boundDepth(spanTree(trace.spans))
  for (const node of inPostOrder(roots)) {
    const { span } = node
    done.set(node, {
      event_id: span.spanId,
      event_type: 'span',
      parent_span_id: span.parentSpanId || null,
      project_id: String(span.projectId),
      project_slug: slugOf(span.projectId),
      transaction: span.segmentName,
      is_transaction: span.isSegment,
      op: span.op,
      description: span.name,
      status: span.status,
      start_timestamp: span.startMs / 1000,
      end_timestamp: (span.startMs + span.durationMs) / 1000,
      duration: span.durationMs,
      children: node.children.flatMap((child) => done.get(child) ?? []),
      errors: (bySpan.get(span.spanId) ?? []).map(errorJson),
      occurrences: [],
    })
  }
  return {
    transactions: roots.flatMap((root) => done.get(root) ?? []),
    orphan_errors: trace.errors.filter(({ spanId }) => !known.has(spanId)).map(errorJson),
    is_cut: trace.isCut,
    span_count: trace.spanCount,
  }
}

function inPostOrder(roots: readonly Node[]): Node[] {
  const order: Node[] = []
  const open = [...roots]
  for (let node = open.pop(); node !== undefined; node = open.pop()) {
    order.push(node)
    open.push(...node.children)
  }
  return order.toReversed()
}

// JSON is written and read recursively, here and by clients.
const MAX_DEPTH = 500

/** What lies deeper stands below its ancestor at the last depth, side by side. */
function boundDepth(roots: readonly Node[]): Node[] {
  const out: Node[] = []
  const open = roots.map((node) => ({ node, into: out, depth: 1 })).toReversed()
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    const { node, into, depth } = next
    const copy: Node = { span: node.span, children: [] }
    into.push(copy)
    const below = depth < MAX_DEPTH ? { into: copy.children, depth: depth + 1 } : { into, depth }
    for (const child of node.children.toReversed()) open.push({ node: child, ...below })
  }
  return out
}

/**
 * `{route, count, samples, lcp: {p75, good, needsImprovement, poor, …}, …}`; counts are visits, counted up from
 * `samples`; a vital nobody told is absent.
 */
function vitalsJson({ route, count, samples, ...vitals }: RouteVitals) {
  const reported = VITAL_NAMES.flatMap((name) => {
    const summary = vitals[name]
    return summary === undefined ? [] : [[name, { ...summary, p75: rounded(summary.p75) }]]
  })
  return {
    route,
    count,
    samples,
    ...(Object.fromEntries(reported) as Omit<RouteVitals, 'route' | 'count' | 'samples'>),
  }
}

/** Percentiles are null when no navigation of the pair was shown. */
function navigationJson({ p50, p75, p95, ...pair }: RoutePair) {
  const each = (phases: Readonly<Record<string, number>>) =>
    Object.fromEntries(Object.entries(phases).map(([phase, ms]) => [phase, rounded(ms)]))
  const [phases, meanPhases] = [each(pair.phases), each(pair.meanPhases)]
  return { ...pair, p50: ms(p50), p75: ms(p75), p95: ms(p95), phases, meanPhases }
}

// CLS has three digits that matter, milliseconds one.
const rounded = (value: number): number => Math.round(value * 1000) / 1000
const ms = (value: number | undefined): number | null => (value === undefined ? null : rounded(value))

export function performanceRoutes(api: Api, { queries, publicUrl }: ApiOptions): void {
  // Every span of it in all projects of the organization; 404 when there is none.
  for (const path of ['trace', 'events-trace']) {
    api.get(`/organizations/:org/${path}/:trace`, async (c) => {
      const grant = await orgGrant(c, 'event:read')
      const trace = await traceById(queries, grant, pathParam(c, 'trace'))
      return trace ? c.json(traceJson(trace)) : c.notFound()
    })
  }

  api.get('/projects/:org/:project/vitals', async (c) => {
    const input = { ...performanceParams(c, queries.clock), ...limitOf(c) }
    const rows = await routeVitals(queries, await projectGrant(c, 'event:read'), input)
    setSinglePage(c, publicUrl)
    return c.json(rows.map((row) => vitalsJson(row)))
  })

  api.get('/projects/:org/:project/navigations', async (c) => {
    const [from, to] = [c.req.query('from'), c.req.query('to')]
    const grant = await projectGrant(c, 'event:read')
    const input = { ...performanceParams(c, queries.clock), ...limitOf(c), from, to }
    const part = await navigationPart(queries, grant, input)
    const rows = await routeNavigations(queries, grant, { ...input, part })
    setSinglePage(c, publicUrl)
    return c.json(rows.map((row) => navigationJson(row)))
  })
}

const limitOf = (c: ApiContext): { limit?: number } => {
  const limit = limitParam(c)
  return limit === undefined ? {} : { limit }
}
