/**
 * Traces, web vitals and navigations. The trace has the shape of Sentry's events-trace endpoint; vitals and navigations
 * are ours (docs/reporter.md says what a navigation is).
 */
import {
  navigationPart,
  routeNavigations,
  routeVitals,
  type SpanNode,
  spanTree,
  type Trace,
  traceById,
  type TraceError,
  type TraceSpan,
} from '@sonde/queries'
import { z } from 'zod'
import type { ApiOptions } from '../api-context.ts'
import type { Api } from '../described-routes.ts'
import { setSinglePage } from '../pages.ts'
import { type PageInput, PERFORMANCE, performanceOf, text } from '../query-schemas.ts'
import { navigationJson, RouteNavigations, RouteVitals, vitalsJson } from '../serializers/performance.ts'

/** A trace as a tree: https://docs.sentry.io/api/explore/ names no public shape; this is what its clients read. */
type Node = SpanNode<TraceSpan>

const TraceErrorShape = z
  .object({
    event_id: z.string(),
    issue_id: z.string(),
    project_id: z.string(),
    project_slug: z.string(),
    title: z.string(),
    level: z.string(),
    timestamp: z.number(),
    span: z.string(),
  })
  .meta({ id: 'TraceError' })
type ErrorJson = z.infer<typeof TraceErrorShape>

const TraceSpanShape = z
  .object({
    event_id: z.string(),
    event_type: z.literal('span'),
    parent_span_id: z.string().nullable(),
    project_id: z.string(),
    project_slug: z.string(),
    transaction: z.string(),
    is_transaction: z.boolean(),
    op: z.string(),
    description: z.string(),
    status: z.string(),
    start_timestamp: z.number(),
    end_timestamp: z.number(),
    duration: z.number().meta({ description: 'Milliseconds.' }),
    get children() {
      return z.array(TraceSpanShape)
    },
    errors: z.array(TraceErrorShape),
    occurrences: z.array(z.never()),
  })
  .meta({ id: 'TraceSpan' })
type SpanJson = z.infer<typeof TraceSpanShape>

const TraceShape = z
  .object({
    transactions: z.array(TraceSpanShape),
    orphan_errors: z.array(TraceErrorShape),
    is_cut: z.boolean().meta({ description: 'It has more spans than are answered.' }),
    span_count: z.int(),
  })
  .meta({ id: 'Trace' })

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

const reads = { tag: 'Performance', permission: 'event:read' } as const

export function performanceRoutes(api: Api, { queries, publicUrl }: ApiOptions): void {
  for (const [path, id] of [
    ['trace', 'getTrace'],
    ['events-trace', 'getEventsTrace'],
  ] as const) {
    api.get(
      `/organizations/:org/${path}/:trace`,
      {
        ...reads,
        id,
        summary: 'Read a trace',
        description: 'Every span of it in all projects of the organization, as trees.',
        answer: TraceShape,
      },
      async ({ grant, params }) => {
        const trace = await traceById(queries, grant, params.trace)
        return trace && traceJson(trace)
      },
    )
  }

  api.get(
    '/projects/:org/:project/vitals',
    {
      ...reads,
      id: 'listVitals',
      summary: 'Read web vitals by route',
      query: z.object(PERFORMANCE),
      pages: true,
      answer: z.array(RouteVitals),
    },
    async ({ c, grant, query, page }) => {
      const input = { ...performanceOf(query, queries.clock), ...limitOf(page) }
      const rows = await routeVitals(queries, grant, input)
      setSinglePage(c, publicUrl)
      return rows.map(vitalsJson)
    },
  )

  api.get(
    '/projects/:org/:project/navigations',
    {
      ...reads,
      id: 'listNavigations',
      summary: 'Read navigations by pair of routes',
      query: z.object({ ...PERFORMANCE, from: text('Of this route.'), to: text('To this route.') }),
      pages: true,
      answer: z.array(RouteNavigations),
    },
    async ({ c, grant, query, page }) => {
      const { from, to } = query
      const input = { ...performanceOf(query, queries.clock), ...limitOf(page), from, to }
      const part = await navigationPart(queries, grant, input)
      const rows = await routeNavigations(queries, grant, { ...input, part })
      setSinglePage(c, publicUrl)
      return rows.map(navigationJson)
    },
  )
}

const limitOf = ({ limit }: PageInput): { limit?: number } => (limit === undefined ? {} : { limit })
