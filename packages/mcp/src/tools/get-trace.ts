import { type Trace, traceById, traceIdOf, type TraceSpan } from '@sonde/queries'
import { type SpanNode, spanTree } from '@sonde/queries/contract'
import { z } from 'zod'
import { createAnswer } from '../answer/answer.ts'
import { counted, msText, timeText, whole } from '../answer/figures.ts'
import { plainLine } from '../answer/plain-text.ts'
import { openOrg, organization, refused } from '../subject.ts'
import { defineTool } from '../tool.ts'

const READ_SPANS = 5_000
const MAX_ERRORS = 20
const MAX_DEPTH = 20

export const getTrace = defineTool({
  name: 'get_trace',
  title: 'Read a trace',
  description:
    'A trace as a tree: services, failed spans and the slowest spans with their ancestors, and the errors in it with their issues. get_event says the trace of an event.',
  permission: 'event:read',
  input: z.object({
    organization,
    trace: z.string().min(1).max(500).describe('Id of the trace (32 hex), or its address in Sonde.'),
    spans: z.int().min(5).max(150).default(60).describe('About how many spans to show.'),
  }),
  async run(context, args) {
    const { queries, links } = context
    const grant = await openOrg(context, args.organization, 'event:read')
    const id = traceIdOf(/\/traces\/([^/?#]+)/.exec(args.trace)?.[1] ?? args.trace.trim())
    const trace = id === undefined ? undefined : await traceById(queries, grant, id, READ_SPANS)
    if (!trace) throw refused('not-found', 'no such trace that this token sees')
    const begin = trace.spans.reduce((least, { startMs }) => Math.min(least, startMs), Infinity)
    const end = trace.spans.reduce((most, { startMs, durationMs }) => Math.max(most, startMs + durationMs), 0)
    const answer = createAnswer().say(
      `Trace ${trace.traceId}: ${links.trace(grant.orgSlug, trace.traceId)}`,
      `${counted(trace.spanCount, 'span')}, ${counted(trace.errors.length, 'error')}, projects ${[...trace.projects.values()].map(({ slug }) => slug).join(', ')}`,
    )
    if (trace.spans.length > 0) answer.say(`Begins ${timeText(begin)}, takes ${msText(end - begin)}`)
    for (const { issueId, projectId, eventId } of trace.errors.slice(0, MAX_ERRORS)) {
      const slug = trace.projects.get(projectId)?.slug
      if (slug !== undefined)
        answer.say(
          `- error of issue ${issueId}: ${links.event(grant.orgSlug, slug, String(issueId), eventId)}`,
        )
    }
    answer.data(
      'Errors',
      trace.errors
        .slice(0, MAX_ERRORS)
        .map(
          ({ issueId, level, title, spanId }) =>
            `- issue ${issueId} [${level}] ${plainLine(title, 200)}${spanId === '' ? '' : ` in span ${spanId}`}`,
        ),
      { maxChars: 3_000 },
    )
    const lines = treeLines(trace, args.spans, begin)
    answer.data('Spans that took longest or failed, with what they are in', lines, {
      more: 'Ask for fewer spans, or open the trace.',
    })
    if (lines.length < trace.spanCount)
      answer.say(`${whole(trace.spanCount - lines.length)} spans are left out: those that took least.`)
    return answer
  },
})

/** The heaviest spans and all that they are in, in the order of the tree. */
function treeLines(trace: Trace, max: number, begin: number): readonly string[] {
  const byId = new Map(trace.spans.map((span) => [span.spanId, span]))
  const shown = new Set<string>()
  for (const span of trace.spans.toSorted(byWeight)) {
    if (shown.size >= max) break
    let at: TraceSpan | undefined = span
    for (let depth = 0; at !== undefined && !shown.has(at.spanId) && depth < MAX_DEPTH; depth++) {
      shown.add(at.spanId)
      at = byId.get(at.parentSpanId)
    }
  }
  const lines: string[] = []
  const open = spanTree(trace.spans)
    .map((node) => ({ node, depth: 0 }))
    .toReversed()
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    const { node, depth } = next
    const isShown = shown.has(node.span.spanId)
    if (isShown) lines.push(spanLine(trace, node, depth, begin))
    for (const child of node.children.toReversed())
      open.push({ node: child, depth: isShown ? Math.min(depth + 1, MAX_DEPTH) : depth })
  }
  return lines
}

const isFailed = ({ status }: TraceSpan): boolean => !['', 'ok', 'unknown', 'cancelled'].includes(status)
const byWeight = (a: TraceSpan, b: TraceSpan): number =>
  Number(b.isSegment) - Number(a.isSegment) ||
  Number(isFailed(b)) - Number(isFailed(a)) ||
  b.durationMs - a.durationMs

function spanLine(trace: Trace, { span }: SpanNode<TraceSpan>, depth: number, begin: number): string {
  const project = span.isSegment ? ` (${trace.projects.get(span.projectId)?.slug ?? 'a project'})` : ''
  const failed = isFailed(span) ? `, failed: ${plainLine(span.status, 40)}` : ''
  return `${'  '.repeat(depth)}- ${plainLine(`${span.op} ${span.name}`, 150)}${project} ${msText(span.durationMs)}, from ${msText(span.startMs - begin)}${failed} [${span.spanId}]`
}
