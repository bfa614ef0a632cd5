/**
 * What is known to be slow in the spans of one transaction. Pure; one pass over spans in the order of their start; no walk
 * along parents, so a circle among them costs nothing. docs/detectors.md
 */
import type { PerformanceType } from '@sonde/protocol/issue-category'
import { numberOf, textOf } from '../spans/attributes.ts'
import type { Span } from '../spans/span.ts'
import { normalizeAddress, normalizeStatement } from './normalize-statement.ts'

export type Found = {
  readonly type: PerformanceType
  readonly op: string
  /** Without values: part of what makes the issue. */
  readonly description: string
  readonly parentSpanId: string
  readonly count: number
  readonly totalMs: number
  /** The first of them. */
  readonly spans: readonly Span[]
}

type Detector = {
  readonly type: PerformanceType
  readonly isOffender: (span: Span) => boolean
  readonly describe: (span: Span) => string
  /** So many under one parent, one after the other. */
  readonly minCount: number
  /** All of them together. */
  readonly minTotalMs: number
}

const isSelect = ({ op, name }: Span): boolean =>
  (op === 'db' || op.startsWith('db.')) && name.slice(0, 6).toUpperCase() === 'SELECT'
const isQuery = ({ op, name }: Span): boolean =>
  (op === 'db' || op.startsWith('db.sql') || op === 'db.query') && name !== ''
const isRequest = ({ op }: Span): boolean => op === 'http.client' || op.startsWith('http.client.')
const bytesOf = ({ attributes }: Span): number =>
  numberOf(
    attributes,
    'http.response.body.size',
    'http.response_content_length',
    'http.response_transfer_size',
  ) ?? 0

const statement = ({ name }: Span): string => normalizeStatement(name)
const address = ({ name }: Span): string => normalizeAddress(name)

const SLOW_QUERY_MS = 1000
const LARGE_PAYLOAD_BYTES = 1024 * 1024
const BLOCKING_MS = 500

const DETECTORS: readonly Detector[] = [
  {
    type: 'performance_n_plus_one_db_queries',
    isOffender: isSelect,
    describe: statement,
    minCount: 5,
    minTotalMs: 50,
  },
  {
    type: 'performance_n_plus_one_api_calls',
    isOffender: isRequest,
    describe: address,
    minCount: 10,
    minTotalMs: 300,
  },
  {
    type: 'performance_slow_db_query',
    isOffender: (span) => isQuery(span) && span.durationMs >= SLOW_QUERY_MS,
    describe: statement,
    minCount: 1,
    minTotalMs: 0,
  },
  {
    type: 'performance_large_http_payload',
    isOffender: (span) => isRequest(span) && bytesOf(span) >= LARGE_PAYLOAD_BYTES,
    describe: address,
    minCount: 1,
    minTotalMs: 0,
  },
  {
    type: 'performance_render_blocking_asset_span',
    isOffender: (span) =>
      (span.op === 'resource.css' || span.op === 'resource.script') &&
      span.durationMs >= BLOCKING_MS &&
      textOf(span.attributes, 'resource.render_blocking_status') === 'blocking',
    describe: address,
    minCount: 1,
    minTotalMs: 0,
  },
]

// Of one transaction. What it does so often that it has more is one of these already.
const MAX_FOUND = 20
const MAX_EVIDENCE = 10
// SDKs send a thousand at most.
const MAX_SPANS = 5000
/** Clocks of SDKs round. */
const OVERLAP_MS = 1

type Run = {
  endMs: number
  count: number
  totalMs: number
  readonly spans: Span[]
  readonly description: string
}

export function detect(spans: readonly Span[]): readonly Found[] {
  const ordered = spans.slice(0, MAX_SPANS).sort((a, b) => a.startMs - b.startMs)
  return DETECTORS.flatMap((detector) => runsOf(detector, ordered)).slice(0, MAX_FOUND)
}

/** Those that run beside each other were not waited for one by one: they do not count. */
function runsOf(
  { type, isOffender, describe, minCount, minTotalMs }: Detector,
  spans: readonly Span[],
): Found[] {
  const runs = new Map<string, Run>()
  for (const span of spans) {
    if (!isOffender(span)) continue
    const description = describe(span)
    const key = minCount > 1 ? `${span.parentSpanId} ${description}` : description
    const run = runs.get(key) ?? { endMs: -Infinity, count: 0, totalMs: 0, spans: [], description }
    if (minCount > 1 && span.startMs < run.endMs - OVERLAP_MS) continue
    run.endMs = span.startMs + span.durationMs
    run.count++
    run.totalMs += span.durationMs
    if (run.spans.length < MAX_EVIDENCE) run.spans.push(span)
    runs.set(key, run)
  }
  const found = new Map<string, Found>()
  for (const { count, totalMs, spans: first, description } of runs.values()) {
    const [span] = first
    // Under several parents it is one issue all the same: the first says it.
    if (span === undefined || count < minCount || totalMs < minTotalMs || found.has(description)) continue
    const { op, parentSpanId } = span
    found.set(description, { type, op, description, parentSpanId, count, totalMs, spans: first })
  }
  return [...found.values()]
}
