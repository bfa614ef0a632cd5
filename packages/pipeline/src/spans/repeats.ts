/** A span that is in one item twice is one span. */
import { NAVIGATION_OP, PREFETCH_OP } from '@sonde/protocol/navigation'
import type { Span } from './span.ts'

/** The first one is kept. A navigation is reported again as it goes on, and metrics have no ids of their own. */
export function withoutRepeats(spans: readonly Span[]): { spans: readonly Span[]; repeated: number } {
  const seen = new Set<string>()
  const kept = spans.filter((span) => {
    if (isToldAnew(span)) return true
    const id = `${span.traceId}${span.spanId}`
    if (seen.has(id)) return false
    seen.add(id)
    return true
  })
  return { spans: kept, repeated: spans.length - kept.length }
}

const isToldAnew = ({ op, isMetric }: Span): boolean =>
  isMetric === true || op === NAVIGATION_OP || op === PREFETCH_OP
