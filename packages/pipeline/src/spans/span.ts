/**
 * One span, whatever shape it came in: child or root of a transaction, standalone (v1), streamed (v2) or OTLP.
 * https://develop.sentry.dev/sdk/telemetry/spans/
 */
import type { NormalizedEvent } from '@sonde/protocol/event'
import type { OutcomeReason } from '@sonde/protocol/outcome'
import type { FilterFields } from '@sonde/stores'
import type { RawObject } from '../normalize/read-fields.ts'
import type { OtlpResource } from '../otlp/otlp-request.ts'
import type { ProcessedEvent, ProcessedRows } from '../process/processed.ts'
import type { ItemInput } from '../stages/event-input.ts'
import type { SampledOut } from './sample-spans.ts'
import type { SpanLink } from './span-links.ts'

export type Span = {
  /** 32 lower hex. */
  readonly traceId: string
  /** 16 lower hex. */
  readonly spanId: string
  /** Empty: a root, or unknown. */
  readonly parentSpanId: string
  /** The root of the service or page that the span belongs to; empty when unknown. */
  readonly segmentId: string
  readonly isSegment: boolean
  /** Unix milliseconds with a fraction. */
  readonly startMs: number
  /** Never negative: an end before the start is remarked on and counts as no time at all. */
  readonly durationMs: number
  readonly op: string
  /** What it did: a query, `GET /api/cart`, the name of a route. */
  readonly name: string
  readonly status: string
  /** Who made it: `auto.http.browser`, `manual`. */
  readonly origin: string
  /** Booleans are `true` and `false`, lists and objects JSON text. */
  readonly attributes: Readonly<Record<string, string | number>>
  /** Absent or empty: none, as nearly all spans have. */
  readonly links?: readonly SpanLink[]
  /** It came as a metric, under the id of the span that was active, if one was. */
  readonly isMetric?: true
  /** By the SDK's names (`lcp`, `cls`), times in milliseconds. */
  readonly measurements: Readonly<Record<string, number>>
}

/** What was wrong with a span that is kept all the same: the attribute `sonde.remark`. */
const SPAN_REMARKS = ['end_before_start', 'own_parent', 'attributes_cut'] as const
export type SpanRemark = (typeof SPAN_REMARKS)[number]
export const REMARK_ATTRIBUTE = 'sonde.remark'

/** What all spans of one item have in common; empty when unknown. */
export type SpanFacts = FilterFields & {
  /** Name of the root: the route template, where the SDK knows it. */
  readonly segmentName: string
}

/** The words for how a span ended, from all the ways SDKs write them: protocol names, OpenTelemetry's numbers, `error`. */
const NAMES = [
  'ok',
  'cancelled',
  'unknown',
  'invalid_argument',
  'deadline_exceeded',
  'not_found',
  'already_exists',
  'permission_denied',
  'resource_exhausted',
  'failed_precondition',
  'aborted',
  'out_of_range',
  'unimplemented',
  'internal_error',
  'unavailable',
  'data_loss',
  'unauthenticated',
] as const
export type SpanStatus = (typeof NAMES)[number] | 'error' | ''

const KNOWN: ReadonlySet<string> = new Set([...NAMES, 'error'])
const ALIASES: Readonly<Record<string, SpanStatus>> = {
  success: 'ok',
  unknown_error: 'unknown',
  failure: 'internal_error',
  canceled: 'cancelled',
}

/** Empty: unknown. Numbers are those of gRPC (https://grpc.io/docs/guides/status-codes/), which Sentry took over. */
export function spanStatus(raw: unknown): SpanStatus {
  if (typeof raw === 'number') return NAMES[raw] ?? 'unknown'
  if (typeof raw !== 'string' || raw === '') return ''
  const name = raw.toLowerCase()
  if (/^\d{1,2}$/.test(name)) return NAMES[Number(name)] ?? 'unknown'
  const alias = Object.hasOwn(ALIASES, name) ? ALIASES[name] : undefined
  return alias ?? (KNOWN.has(name) ? (name as SpanStatus) : 'unknown')
}

// What the stages of a span item start from, and what each adds.

/**
 * `transaction`: a root with its children in one event. `single`: a standalone span. `container`: a list of them.
 * `otlp`: an OpenTelemetry request. `metrics`: a container of metrics, of which some are vitals.
 */
export type SpanForm = 'transaction' | 'single' | 'container' | 'otlp' | 'metrics'

/** `raw`: the item's JSON, empty for `otlp`, which has `resources` instead. */
export type ParsedSpans = ItemInput & {
  readonly form: SpanForm
  readonly raw: RawObject
  readonly resources?: readonly OtlpResource[]
}
/** The event is that of a transaction. */
export type ReadSpans = ParsedSpans &
  LeftOut & {
    readonly spans: readonly Span[]
    readonly event?: NormalizedEvent
  }

/** What stood in the item and is not stored; none is counted twice. */
export type LeftOut = {
  /** No spans: without ids or a start. */
  readonly lost: number
  /** Spans that stood there before. */
  readonly repeated: number
  /** Of a program that the project's filters do not want, beside others. */
  readonly filtered: readonly { readonly reason: OutcomeReason<'filtered'>; readonly spans: number }[]
}

/** What processing a span item gives: what is stored, and what ends here. */
export type ProcessedSpans = LeftOut & {
  /** Its id is the transaction's, or made from the item's bytes. */
  readonly item: ProcessedRows
  /** By detectors, in what is stored. */
  readonly found: readonly ProcessedEvent[]
  /** Read, and left out by a rule; what they measured may be in the item's rows all the same. */
  readonly sampledOut: readonly SampledOut[]
}
