/** The spans of a trace as a tree on one time axis: parents, services, and clock skew removed. Pure. */
import type { OutlineSpan, TraceOutline } from '@sonde/queries'
import { type SpanNode, spanTree } from '@sonde/queries/contract'

export type Service = {
  /** The project's slug. */
  readonly project: string
  /** `checkout`, `node`; empty when unknown. */
  readonly name: string
}

/** Why a span is a root although it names a parent, or shares its ID with another. */
const SPAN_DEFECTS = ['missing-parent', 'cycle', 'duplicate-id'] as const
export type SpanDefect = (typeof SPAN_DEFECTS)[number]

export type PlacedSpan = {
  readonly span: OutlineSpan
  readonly parent: PlacedSpan | undefined
  /** By start. */
  readonly children: PlacedSpan[]
  /** Index in `services`. */
  readonly service: number
  /** Added to the reported time, so that the span fits inside its caller. */
  readonly shiftMs: number
  /** Unix milliseconds, shifted. */
  readonly startMs: number
  readonly endMs: number
  readonly defect: SpanDefect | undefined
}

export type PlacedTrace = {
  readonly services: readonly Service[]
  /** By start. */
  readonly roots: readonly PlacedSpan[]
}

type Given = Pick<TraceOutline, 'spans' | 'segments' | 'projects'>

/** Every span is in it exactly once, whatever the parents are. */
export function placeSpans({ spans, segments, projects }: Given): PlacedTrace {
  const serviceOf = serviceFinder({ segments, projects })
  const ids = new Map<string, OutlineSpan>()
  for (const span of spans) if (!ids.has(span.spanId)) ids.set(span.spanId, span)
  const knownShifts = new Map<number, number>()
  const roots: PlacedSpan[] = []
  type Open = { readonly node: SpanNode<OutlineSpan>; readonly parent: PlacedSpan | undefined }
  const open: Open[] = spanTree(spans).map((node) => ({ node, parent: undefined }))
  open.reverse()
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    const { node, parent } = next
    const { span } = node
    const service = serviceOf.find(span)
    const shiftMs = placeClock(span, service, parent, knownShifts)
    const startMs = span.startMs + shiftMs
    const placed: PlacedSpan = {
      span,
      parent,
      children: [],
      service,
      shiftMs,
      startMs,
      endMs: startMs + span.durationMs,
      defect: defectOf(span, parent, ids),
    }
    ;(parent?.children ?? roots).push(placed)
    for (let at = node.children.length - 1; at >= 0; at--) {
      const child = node.children[at]
      if (child) open.push({ node: child, parent: placed })
    }
  }
  sortAll(roots)
  return { services: serviceOf.services, roots }
}

function defectOf(
  span: OutlineSpan,
  parent: PlacedSpan | undefined,
  ids: ReadonlyMap<string, OutlineSpan>,
): SpanDefect | undefined {
  if (parent === undefined && span.parentSpanId !== '')
    return ids.has(span.parentSpanId) ? 'cycle' : 'missing-parent'
  return ids.get(span.spanId) === span ? undefined : 'duplicate-id'
}

/** Shifts may have changed the order; equal starts stay as they were. */
function sortAll(roots: PlacedSpan[]): void {
  const open = [roots]
  for (let list = open.pop(); list !== undefined; list = open.pop()) {
    list.sort((a, b) => a.startMs - b.startMs)
    for (const { children } of list) if (children.length > 0) open.push(children)
  }
}

/** One service per project and name: the name its root reports, else the platform. */
function serviceFinder({ segments, projects }: Pick<Given, 'segments' | 'projects'>) {
  const named = new Map(segments.map(({ spanId, service }) => [spanId, service]))
  const services: Service[] = []
  const indexes = new Map<string, number>()
  const find = ({ projectId, spanId, segmentId, platform }: OutlineSpan): number => {
    const name = named.get(segmentId) || named.get(spanId) || platform
    const key = `${projectId} ${name}`
    const known = indexes.get(key)
    if (known !== undefined) return known
    indexes.set(key, services.length)
    services.push({ project: projects.get(projectId)?.slug ?? '', name })
    return services.length - 1
  }
  return { services, find }
}

/**
 * Clocks of machines differ, by milliseconds or by hours. A request cannot arrive before it was sent, and its answer
 * cannot arrive before it was made: a span of another service that breaks this is shifted into what called it. Pure.
 */
/** What called: already placed. */
type Caller = {
  readonly span: Pick<OutlineSpan, 'op' | 'durationMs'>
  readonly service: number
  readonly shiftMs: number
  readonly startMs: number
  readonly endMs: number
}

/** Clocks that are set over the network agree by about this much; moving by less would be noise. */
const TOLERANCE_MS = 1
/** Calls that wait for their answer. A queue's consumer or a page that a server rendered may begin when all is over. */
const WAITS = /^(?:http\.client|grpc(?:\.client)?|rpc(?:\.client)?|websocket\.client)$/

/**
 * Milliseconds to add to the span's times. Of one service the first shift that fits is used again, so that its spans
 * keep their distances. `known` is filled.
 */
function placeClock(
  span: Pick<OutlineSpan, 'startMs' | 'durationMs'>,
  service: number,
  caller: Caller | undefined,
  known: Map<number, number>,
): number {
  if (caller === undefined) return known.get(service) ?? 0
  if (caller.service === service) return caller.shiftMs
  const { durationMs } = span
  // A call that was given up is shorter than what it called.
  const isWithin = WAITS.test(caller.span.op) && durationMs <= caller.span.durationMs
  const latestMs = isWithin
    ? caller.endMs - durationMs
    : WAITS.test(caller.span.op)
      ? caller.endMs
      : Number.POSITIVE_INFINITY
  const fits = (shiftMs: number): boolean =>
    span.startMs + shiftMs >= caller.startMs - TOLERANCE_MS &&
    span.startMs + shiftMs <= latestMs + TOLERANCE_MS
  for (const shiftMs of [0, known.get(service), caller.shiftMs])
    if (shiftMs !== undefined && fits(shiftMs)) return shiftMs
  // The way there and the way back are taken to be as long.
  const startMs = isWithin ? (caller.startMs + latestMs) / 2 : caller.startMs
  const shiftMs = startMs - span.startMs
  known.set(service, shiftMs)
  return shiftMs
}
