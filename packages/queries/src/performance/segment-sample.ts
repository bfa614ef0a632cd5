/** Spans of some transactions of the last day, as the detectors read them: what other thresholds would have found. */
import type { Grant } from '@sonde/access'
import type { PerformanceType } from '@sonde/protocol/issue-category'
import type { DetectorRules } from '@sonde/protocol/performance-detectors'
import { boundedQuery } from '../explore/bounded-query.ts'
import type { QueryDeps } from '../query-deps.ts'
import { performanceConditions } from './performance-filter.ts'

export type SampledSpan = {
  readonly traceId: string
  readonly spanId: string
  readonly parentSpanId: string
  readonly segmentId: string
  readonly isSegment: boolean
  readonly startMs: number
  readonly durationMs: number
  readonly op: string
  readonly name: string
  readonly status: string
  readonly origin: string
  readonly attributes: Readonly<Record<string, string | number>>
  readonly measurements: Readonly<Record<string, number>>
}
/** The pipeline has the function; the composition root hands it to the screens. */
export type DetectSpans = (
  spans: readonly SampledSpan[],
  rules: DetectorRules,
) => readonly { readonly type: PerformanceType; readonly description: string }[]

export type SegmentSample = {
  /** Of each transaction that was looked at. */
  readonly segments: readonly (readonly SampledSpan[])[]
  /** Transactions of the day, whether looked at or not; sampled ones are not counted up. */
  readonly total: number
}

const DAY_MS = 86_400_000
const MAX_SEGMENTS = 200
const MAX_SPANS = 20_000
/** What detectors read. */
const STRINGS = [
  'resource.render_blocking_status',
  'code.filepath',
  'code.file.path',
  'browser.script.invoker',
]
const NUMBERS = [
  'http.response.body.size',
  'http.response_content_length',
  'http.response_transfer_size',
  'http.decoded_response_content_length',
]

type Row = Omit<SampledSpan, 'isSegment' | 'attributes' | 'measurements' | 'status' | 'origin'> & {
  readonly root: number
  readonly strings: Readonly<Record<string, string>>
  readonly numbers: Readonly<Record<string, number>>
}

/**
 * Roots are chosen by a hash of their id, so evenly over the day, by one range of the key (`project_id, is_segment = 1`); their
 * spans are found by the bloom filter on the trace. Throws `ExploreError` for more than may be read.
 */
export async function segmentSample(
  deps: Pick<QueryDeps, 'records' | 'telemetry' | 'clock'>,
  grant: Grant<'event:read', 'project'>,
): Promise<SegmentSample> {
  const nowMs = deps.clock.nowMs()
  const where = await performanceConditions(deps, grant, { fromMs: nowMs - DAY_MS, toMs: nowMs + 1 })
  if (where === undefined) return { segments: [], total: 0 }
  const roots = await boundedQuery<{ readonly trace: string; readonly id: string; readonly total: number }>(
    deps,
    `SELECT toString(trace_id) AS trace, toString(span_id) AS id, count() OVER () AS total FROM spans
     WHERE ${where.sql} AND is_segment = 1 ORDER BY cityHash64(span_id) LIMIT ${MAX_SEGMENTS}`,
    where.params,
  )
  const [first] = roots
  if (!first) return { segments: [], total: 0 }
  const rows = await boundedQuery<Row>(
    deps,
    `SELECT toString(trace_id) AS traceId, toString(span_id) AS spanId, parent_span_id AS parentSpanId,
       segment_id AS segmentId, is_segment AS root, toUnixTimestamp64Micro(timestamp) / 1000 AS startMs,
       duration_ms AS durationMs, op, name,
       mapFilter((k, v) -> k IN {texts:Array(String)}, strings) AS strings,
       mapFilter((k, v) -> k IN {sizes:Array(String)}, numbers) AS numbers
     FROM spans WHERE ${where.sql} AND trace_id IN {traces:Array(FixedString(32))}
       AND segment_id IN {roots:Array(String)} LIMIT ${MAX_SPANS}`,
    {
      ...where.params,
      texts: STRINGS,
      sizes: NUMBERS,
      traces: [...new Set(roots.map(({ trace }) => trace))],
      roots: roots.map(({ id }) => id),
    },
  )
  const bySegment = Map.groupBy(rows, ({ traceId, segmentId }) => `${traceId} ${segmentId}`)
  const segments = [...bySegment.values()].map((list) =>
    list.map(({ root, strings, numbers, ...span }) => ({
      ...span,
      isSegment: root === 1,
      status: '',
      origin: '',
      attributes: { ...strings, ...numbers },
      measurements: {},
    })),
  )
  return { segments, total: first.total }
}

export type PageDataWaits = { readonly total: number; readonly slow: number; readonly hung: number }

/** Navigations of the last day, how many of them waited for page data so long, and how many hung. One range of `navigations`. */
export async function pageDataWaits(
  deps: Pick<QueryDeps, 'records' | 'telemetry' | 'clock'>,
  grant: Grant<'event:read', 'project'>,
  { slowMs, hungMs }: { readonly slowMs: number; readonly hungMs: number },
): Promise<PageDataWaits> {
  const nowMs = deps.clock.nowMs()
  const where = await performanceConditions(deps, grant, { fromMs: nowMs - DAY_MS, toMs: nowMs + 1 })
  if (where === undefined) return NO_WAITS
  const [row] = await boundedQuery<PageDataWaits>(
    deps,
    `SELECT count() AS total, countIf(is_final = 1 AND data_ms >= {slow:Float64}) AS slow,
       countIf(outcome IN ('pending', 'timed_out', 'left') AND duration_ms >= {hung:Float64}) AS hung
     FROM navigations FINAL WHERE ${where.sql}`,
    { ...where.params, slow: slowMs, hung: hungMs },
  )
  return row ?? NO_WAITS
}

const NO_WAITS: PageDataWaits = { total: 0, slow: 0, hung: 0 }
