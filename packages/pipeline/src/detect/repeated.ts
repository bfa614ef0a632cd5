/** Spans that are too slow or too large, and those that are repeated one after the other. */
import type { PerformanceType } from '@sonde/protocol/issue-category'
import { type DetectorRules, thresholdsOf } from '@sonde/protocol/performance-detectors'
import { textOf } from '../spans/attributes.ts'
import type { Span } from '../spans/span.ts'
import { endOf, type Found, MAX_EVIDENCE, OVERLAP_MS } from './found.ts'
import {
  addressOf,
  bytesOf,
  forcedLayoutMs,
  isAsset,
  isLongFrame,
  isQuery,
  isRequest,
  isSelect,
  isUncompressed,
  pageDataMs,
  routeOf,
  scriptOf,
  statementOf,
} from './span-kinds.ts'

type Limits = Readonly<Record<string, number>>
type Detector = {
  readonly type: PerformanceType
  readonly isOffender: (span: Span, limits: Limits) => boolean
  readonly describe: (span: Span) => string
  /** Milliseconds that a span of it costs; its duration if absent. */
  readonly costOf?: (span: Span) => number
}

const isLong = ({ durationMs }: Span, { min_duration_ms = 0 }: Limits): boolean =>
  durationMs >= min_duration_ms
const isLarge = (span: Span, { min_bytes = 0 }: Limits): boolean => bytesOf(span) >= min_bytes

const DETECTORS: readonly Detector[] = [
  { type: 'performance_n_plus_one_db_queries', isOffender: isSelect, describe: statementOf },
  { type: 'performance_n_plus_one_api_calls', isOffender: isRequest, describe: addressOf },
  {
    type: 'performance_slow_db_query',
    isOffender: (span, limits) => isQuery(span) && isLong(span, limits),
    describe: statementOf,
  },
  {
    type: 'performance_large_http_payload',
    isOffender: (span, limits) => isRequest(span) && isLarge(span, limits),
    describe: addressOf,
  },
  {
    type: 'performance_render_blocking_asset_span',
    isOffender: (span, limits) =>
      isAsset(span) &&
      isLong(span, limits) &&
      textOf(span.attributes, 'resource.render_blocking_status') === 'blocking',
    describe: addressOf,
  },
  {
    type: 'performance_uncompressed_assets',
    isOffender: (span, limits) =>
      isAsset(span) && isLong(span, limits) && isLarge(span, limits) && isUncompressed(span),
    describe: addressOf,
  },
  {
    type: 'performance_slow_page_data',
    isOffender: (span, { min_duration_ms = 0 }) => (pageDataMs(span) ?? -1) >= min_duration_ms,
    describe: routeOf,
    costOf: (span) => pageDataMs(span) ?? 0,
  },
  {
    type: 'performance_long_animation_frame',
    isOffender: (span, limits) => isLongFrame(span) && isLong(span, limits),
    describe: scriptOf,
  },
  {
    type: 'performance_layout_thrashing',
    isOffender: (span, { min_forced_ms = 0 }) => (forcedLayoutMs(span) ?? -1) >= min_forced_ms,
    describe: scriptOf,
    costOf: (span) => forcedLayoutMs(span) ?? 0,
  },
]

type Run = {
  endMs: number
  count: number
  totalMs: number
  readonly spans: Span[]
  readonly description: string
}

/** `spans`: in the order of their start. */
export function findRepeated(spans: readonly Span[], rules: DetectorRules): Found[] {
  return DETECTORS.flatMap((detector) => {
    const limits = thresholdsOf(rules, detector.type)
    return limits === undefined ? [] : runsOf(detector, limits, spans)
  })
}

/** Those that run beside each other were not waited for one by one: they do not count. */
function runsOf(
  { type, isOffender, describe, costOf = ({ durationMs }) => durationMs }: Detector,
  thresholds: Limits,
  spans: readonly Span[],
): Found[] {
  const { min_count: minCount = 1, min_total_ms: minTotalMs = 0 } = thresholds
  const runs = new Map<string, Run>()
  for (const span of spans) {
    if (!isOffender(span, thresholds)) continue
    const description = describe(span)
    const key = minCount > 1 ? `${span.parentSpanId} ${description}` : description
    const run = runs.get(key) ?? { endMs: -Infinity, count: 0, totalMs: 0, spans: [], description }
    if (minCount > 1 && span.startMs < run.endMs - OVERLAP_MS) continue
    run.endMs = endOf(span)
    run.count++
    run.totalMs += costOf(span)
    if (run.spans.length < MAX_EVIDENCE) run.spans.push(span)
    runs.set(key, run)
  }
  const found = new Map<string, Found>()
  for (const { count, totalMs, spans: first, description } of runs.values()) {
    const [span] = first
    // Under several parents it is one issue all the same: the first says it.
    if (span === undefined || count < minCount || totalMs < minTotalMs || found.has(description)) continue
    const { op, parentSpanId } = span
    found.set(description, { type, op, description, parentSpanId, count, totalMs, thresholds, spans: first })
  }
  return [...found.values()]
}
