/**
 * Spans of one kind that ran one after the other under one parent although they could have run at once. Alike ones are an
 * N+1 and do not count twice.
 */
import type { PerformanceType } from '@sonde/protocol/issue-category'
import { type DetectorRules, thresholdsOf } from '@sonde/protocol/performance-detectors'
import type { Span } from '../spans/span.ts'
import { endOf, type Found, MAX_EVIDENCE, OVERLAP_MS } from './found.ts'
import { addressOf, isRequest, isSelect, statementOf } from './span-kinds.ts'

type Limits = Readonly<Record<string, number>>
type Detector = {
  readonly type: PerformanceType
  readonly isMember: (span: Span, limits: Limits) => boolean
  readonly describe: (span: Span) => string
  /** Whether it can be seen that it needs no answer of one before it. */
  readonly isIndependent: (description: string) => boolean
}

// What a page loads of itself is its router's to order.
const isOfFramework = ({ name }: Span): boolean => name.includes('/_next/')
const HAS_CONDITION = /\bwhere\b/i

const DETECTORS: readonly Detector[] = [
  {
    type: 'performance_consecutive_db_queries',
    isMember: isSelect,
    describe: statementOf,
    isIndependent: (statement) => !HAS_CONDITION.test(statement),
  },
  {
    type: 'performance_consecutive_http',
    isMember: (span, { min_duration_ms = 0 }) =>
      isRequest(span) && span.durationMs >= min_duration_ms && !isOfFramework(span),
    describe: addressOf,
    isIndependent: () => true,
  },
]

/** Whoever does something else in between for longer may need what came before. */
const MAX_GAP_MS = 500

type Run = {
  endMs: number
  count: number
  totalMs: number
  longestMs: number
  /** Of those that need no answer of another. */
  independentMs: number
  description: string
  readonly names: Set<string>
  readonly spans: Span[]
}

/** `spans`: in the order of their start. */
export function findConsecutive(spans: readonly Span[], rules: DetectorRules): Found[] {
  return DETECTORS.flatMap((detector) => {
    const limits = thresholdsOf(rules, detector.type)
    return limits === undefined ? [] : runsOf(detector, limits, spans)
  })
}

function runsOf(detector: Detector, thresholds: Limits, spans: readonly Span[]): Found[] {
  const { isMember, describe, isIndependent } = detector
  const open = new Map<string, Run>()
  const found = new Map<string, Found>()
  const close = (run: Run): void => {
    const made = foundOf(detector, thresholds, run)
    if (made && !found.has(made.description)) found.set(made.description, made)
  }
  for (const span of spans) {
    if (!isMember(span, thresholds)) continue
    const before = open.get(span.parentSpanId)
    const gapMs = before ? span.startMs - before.endMs : 0
    const goesOn = before !== undefined && gapMs >= -OVERLAP_MS && gapMs <= MAX_GAP_MS
    if (before && !goesOn) close(before)
    const run = goesOn ? before : newRun()
    const description = describe(span)
    const independent = isIndependent(description)
    // Beside the one before it: what comes after the longer of them goes on.
    run.endMs = Math.max(endOf(span), before?.endMs ?? -Infinity)
    run.count++
    run.totalMs += span.durationMs
    run.longestMs = Math.max(run.longestMs, span.durationMs)
    if (independent) run.independentMs += span.durationMs
    if (independent && run.description === '') run.description = description
    run.names.add(description)
    if (run.spans.length < MAX_EVIDENCE) run.spans.push(span)
    open.set(span.parentSpanId, run)
  }
  for (const run of open.values()) close(run)
  return [...found.values()]
}

const newRun = (): Run => ({
  endMs: -Infinity,
  count: 0,
  totalMs: 0,
  longestMs: 0,
  independentMs: 0,
  description: '',
  names: new Set(),
  spans: [],
})

function foundOf({ type }: Detector, thresholds: Limits, run: Run): Found | undefined {
  const { count, totalMs, longestMs, independentMs, description, names, spans } = run
  const { min_count: minCount = 2, min_saved_ms: minSavedMs = 0 } = thresholds
  const [first] = spans
  const savedMs = Math.min(totalMs - longestMs, independentMs)
  if (!first || description === '' || names.size < minCount || savedMs < minSavedMs) return undefined
  const { op, parentSpanId } = first
  return { type, op, description, parentSpanId, count, totalMs, savedMs, thresholds, spans }
}
