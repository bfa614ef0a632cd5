/**
 * Which spans of one process are its roots ("segments": what it did for somebody outside), and to which of them every
 * other span belongs. Only what came in one request is known: a child whose parents came before it belongs to none.
 */
import { isRemoteParent, type OtlpSpan } from './otlp-request.ts'

/** A span whose ids were found good. */
export type IdentifiedSpan = {
  readonly traceId: string
  readonly spanId: string
  /** Empty: none. */
  readonly parentSpanId: string
  readonly startMs: number
  readonly raw: OtlpSpan
}

export type Segments = {
  isSegment(span: IdentifiedSpan): boolean
  /** The span itself when it is one; undefined when its parents are not here, or go round in a circle. */
  segmentOf(span: IdentifiedSpan): IdentifiedSpan | undefined
}

export function findSegments(spans: readonly IdentifiedSpan[]): Segments {
  const byId = new Map<string, IdentifiedSpan>()
  for (const span of spans) byId.set(idOf(span.traceId, span.spanId), span)
  const parentOf = ({ traceId, parentSpanId }: IdentifiedSpan): IdentifiedSpan | undefined =>
    byId.get(idOf(traceId, parentSpanId))
  const isSegment = (span: IdentifiedSpan): boolean => {
    if (span.parentSpanId === '' || span.parentSpanId === span.spanId) return true
    const isRemote = isRemoteParent(span.raw)
    if (isRemote !== undefined) return isRemote
    return isEntry(span.raw) && parentOf(span) === undefined
  }
  // Each span is walked over once: what is found for the last of a chain holds for all of it.
  const known = new Map<IdentifiedSpan, IdentifiedSpan | undefined>()
  return {
    isSegment,
    segmentOf(span) {
      const chain: IdentifiedSpan[] = []
      let at: IdentifiedSpan | undefined = span
      while (at !== undefined && !known.has(at)) {
        // Also what ends a circle: coming here again finds this.
        known.set(at, undefined)
        chain.push(at)
        if (isSegment(at)) break
        at = parentOf(at)
      }
      const last = chain.at(-1)
      const segment = last !== undefined && isSegment(last) ? last : at && known.get(at)
      for (const each of chain) known.set(each, segment)
      return known.get(span)
    },
  }
}

/** What answers somebody from outside. */
const isEntry = ({ kind }: OtlpSpan): boolean => kind === 'server' || kind === 'consumer'

const idOf = (traceId: string, spanId: string): string => `${traceId}${spanId}`
