/** The spans of a trace as a tree in one time: parents found, services told apart, clocks that are off shifted. Pure. */
import type { OutlineSpan, TraceOutline } from '@sonde/queries'
import { type SpanNode, spanTree } from '@sonde/queries/contract'
import { placeClock } from './clock-shift.ts'

export type Service = {
  /** The project's slug. */
  readonly project: string
  /** `checkout`, `node`; empty when nobody said. */
  readonly name: string
}

/** Why a span stands at the top although it names a parent, or beside one of its own id. */
export const SPAN_TROUBLES = ['missing-parent', 'cycle', 'duplicate-id'] as const
export type SpanTrouble = (typeof SPAN_TROUBLES)[number]

export type PlacedSpan = {
  readonly span: OutlineSpan
  readonly parent: PlacedSpan | undefined
  /** By start. */
  readonly children: PlacedSpan[]
  /** Index in `services`. */
  readonly service: number
  /** Added to what its clock said, so that it lies within what called it. */
  readonly shiftMs: number
  /** Unix milliseconds, shifted. */
  readonly startMs: number
  readonly endMs: number
  readonly trouble: SpanTrouble | undefined
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
      trouble: troubleOf(span, parent, ids),
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

function troubleOf(
  span: OutlineSpan,
  parent: PlacedSpan | undefined,
  ids: ReadonlyMap<string, OutlineSpan>,
): SpanTrouble | undefined {
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

/** One per project and name: what its root says it is called, else the platform. */
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
