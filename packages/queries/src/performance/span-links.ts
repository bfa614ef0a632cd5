/**
 * Links between spans of different traces, both ways: those that a span names, and the spans that name it. A batch names
 * the messages it was made of, a page the page before it; their traces are not one trace, because neither waited.
 */
import type { Grant } from '@sonde/access'
import { projectIdsOf, type QueryDeps } from '../query-deps.ts'
import { traceProjects } from './trace.ts'

/** What is known of a span at the other end. */
export type LinkedSpan = {
  /** Its short name. */
  readonly project: string
  readonly op: string
  /** At most 200 characters. */
  readonly name: string
  readonly startMs: number
}

export type SpanLink = {
  readonly traceId: string
  readonly spanId: string
  /** What the link says of itself: `sentry.link.type`, `sampled` (`true` or `false`), what a library put there. */
  readonly attributes: Readonly<Record<string, string | number>>
  /** Undefined: not stored (any more), in a project that one may not see, or not looked for. */
  readonly span: LinkedSpan | undefined
}

export type IncomingLink = Omit<SpanLink, 'span'> & { readonly span: LinkedSpan }
export type IncomingLinks = { readonly links: readonly IncomingLink[]; readonly hasMore: boolean }

/** Each is a probe of the bloom filter on trace ids; links beyond are shown by their ids. */
const MAX_NAMED = 10
/** What is linked to began before the span that links to it; a message may have waited for a day. */
const BEFORE_MS = 86_400_000
/** Clocks of two services differ. */
const AFTER_MS = 3_600_000
const MAX_NAME = 200
const MAX_INCOMING = 20

const LINKED_SPAN = `project_id AS projectId, op, substringUTF8(if(name = '', segment_name, name), 1, ${MAX_NAME}) AS name,
  toUnixTimestamp64Micro(timestamp) / 1000 AS startMs`

type LinkedRow = Omit<LinkedSpan, 'project'> & {
  readonly projectId: number
  readonly traceId: string
  readonly spanId: string
}

/** The columns of a span as they are stored: of the same length, attributes as JSON text. */
export type StoredLinks = {
  readonly linkTraceIds: readonly string[]
  readonly linkSpanIds: readonly string[]
  readonly linkAttributes: readonly string[]
}

/** `projects`: those that may be seen. */
export async function outgoingLinks(
  deps: Pick<QueryDeps, 'records' | 'telemetry'>,
  projects: readonly number[],
  { linkTraceIds, linkSpanIds, linkAttributes, startMs }: StoredLinks & { readonly startMs: number },
): Promise<readonly SpanLink[]> {
  if (linkTraceIds.length === 0) return []
  const found = await deps.telemetry.query<LinkedRow>(
    `SELECT toString(trace_id) AS traceId, toString(span_id) AS spanId, ${LINKED_SPAN}
     FROM spans WHERE project_id IN {projects:Array(UInt32)} AND trace_id IN {traces:Array(FixedString(32))}
       AND span_id IN {spans:Array(FixedString(16))}
       AND timestamp >= {from:DateTime64(3)} AND timestamp < {to:DateTime64(3)}
     ORDER BY timestamp DESC LIMIT 1 BY trace_id, span_id`,
    {
      projects,
      traces: linkTraceIds.slice(0, MAX_NAMED),
      spans: linkSpanIds.slice(0, MAX_NAMED),
      from: Math.max(0, startMs - BEFORE_MS),
      to: startMs + AFTER_MS,
    },
  )
  const slugs = await traceProjects(deps, found)
  const byId = new Map(
    found.map((row) => [`${row.traceId} ${row.spanId}`, spanOf(row, slugs.get(row.projectId)?.slug)]),
  )
  return linkTraceIds.map((traceId, at) => {
    const spanId = linkSpanIds[at] ?? ''
    return {
      traceId,
      spanId,
      attributes: attributesOf(linkAttributes[at]),
      span: byId.get(`${traceId} ${spanId}`),
    }
  })
}

/**
 * Spans of other traces that link to this one, the latest first, at most 20. A bloom filter on linked traces finds the
 * granules, so that what is read does not grow with the spans that link elsewhere.
 */
export async function incomingLinks(
  deps: Pick<QueryDeps, 'records' | 'telemetry'>,
  grant: Grant<'event:read', 'org' | 'project'>,
  { traceId, spanId }: { readonly traceId: string; readonly spanId: string },
): Promise<IncomingLinks> {
  const projects = await projectIdsOf(deps, grant)
  if (projects.length === 0) return { links: [], hasMore: false }
  const rows = await deps.telemetry.query<LinkedRow & { readonly attributes: string }>(
    `SELECT toString(trace_id) AS traceId, toString(span_id) AS spanId, ${LINKED_SPAN},
       arrayFirst((attributes, trace, span) -> trace = {trace:String} AND span = {span:String},
         link_attributes, link_trace_ids, link_span_ids) AS attributes
     FROM spans
     WHERE project_id IN {projects:Array(UInt32)} AND has(link_trace_ids, {trace:String})
       AND arrayExists((trace, span) -> trace = {trace:String} AND span = {span:String}, link_trace_ids, link_span_ids)
       AND trace_id != {trace:FixedString(32)}
     ORDER BY timestamp DESC, span_id LIMIT ${MAX_INCOMING + 1}`,
    { projects, trace: traceId, span: spanId },
  )
  const slugs = await traceProjects(deps, rows)
  const links = rows.slice(0, MAX_INCOMING).map((row) => ({
    traceId: row.traceId,
    spanId: row.spanId,
    attributes: attributesOf(row.attributes),
    span: spanOf(row, slugs.get(row.projectId)?.slug),
  }))
  return { links, hasMore: rows.length > MAX_INCOMING }
}

const spanOf = ({ op, name, startMs }: LinkedRow, project = ''): LinkedSpan => ({
  project,
  op,
  name,
  startMs,
})

/** Written by the pipeline as an object of texts and numbers. */
function attributesOf(text: string | undefined): SpanLink['attributes'] {
  return text === undefined || text === '' ? {} : (JSON.parse(text) as SpanLink['attributes'])
}
