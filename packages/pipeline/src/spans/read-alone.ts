/** Items of spans without an event around them: one span, a container of them, an OTLP request. */
import { NAVIGATION_OP, PREFETCH_OP } from '@sonde/protocol/navigation'
import { isVitalName, type VitalName } from '@sonde/protocol/web-vitals'
import { hexId } from '../normalize/contexts.ts'
import { isObject, type RawObject } from '../normalize/read-fields.ts'
import { clockShiftSec, unreachableByMs } from '../normalize/timestamp.ts'
import { spansOfOtlp } from '../otlp/spans-of-otlp.ts'
import { inMs, plainAttributes, readAttributes, textOf } from './attributes.ts'
import { readSpan, readTimes, remarked, shortText } from './read-span.ts'
import { previousTraceOf, readLinks } from './span-links.ts'
import { type ParsedSpans, type ReadSpans, type Span, spanStatus } from './span.ts'

/** Undefined: nothing in it is a span or a metric. */
export function readAlone(input: ParsedSpans): ReadSpans | undefined {
  const found = readForm(input, clockShiftSec(input.context))
  const { lost } = found
  const isSomething = found.spans.length > 0 || (input.form === 'metrics' && lost > 0)
  if (!isSomething) return undefined
  const { spans, repeated } = withoutRepeats(found.spans)
  const { receivedMs, settings } = input
  return {
    ...input,
    spans: withinReach(spans, receivedMs, settings.retentionDays),
    lost,
    repeated,
    filtered: [],
  }
}

type Found = { readonly spans: readonly Span[]; readonly lost: number }

function readForm({ form, raw, resources = [] }: ParsedSpans, shiftSec: number): Found {
  if (form === 'otlp') return spansOfOtlp(resources, shiftSec)
  if (form === 'metrics') return readMetrics(listOf(raw.items), shiftSec)
  if (form === 'single') return listed([raw], (each) => readSpan(each, { shiftSec }))
  return listed(listOf(raw.items), (each) => readSpanV2(each, shiftSec))
}

function listed(given: readonly unknown[], readOne: (each: unknown) => Span | undefined): Found {
  const spans = given.flatMap((each) => readOne(each) ?? [])
  return { spans, lost: given.length - spans.length }
}

function readMetrics(given: readonly unknown[], shiftSec: number): Found {
  return listed(given.filter(isVitalMetric), (each) => readMetric(each, shiftSec))
}

const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : [])

/** Its last span ended as it was received, where the sender's clock is no use. */
function withinReach(spans: readonly Span[], receivedMs: number, retentionDays: number): readonly Span[] {
  const lastEndMs = spans.reduce((last, { startMs, durationMs }) => Math.max(last, startMs + durationMs), 0)
  const aheadMs = unreachableByMs(lastEndMs, receivedMs, retentionDays)
  return aheadMs === 0 ? spans : spans.map((span) => ({ ...span, startMs: span.startMs - aheadMs }))
}

/**
 * Web vitals that are sent as metrics: items of a `trace_metric` container whose name is that of a vital. Each becomes
 * what the same vital is as a streamed span, so that both are one row of one page.
 * https://github.com/getsentry/rfcs/pull/158 (names as in its tables and as in its example)
 */
const NAME = /^browser\.(?:web_vital\.)?([a-z]+)(?:\.value)?$/
// A metric is of a moment, not of a span: where none was active, the row still has an id.
const NO_SPAN = '0'.repeat(16)

/** What is read here; every other metric is a row of `metrics`. */
export const isVitalMetric = (raw: unknown): boolean => isObject(raw) && vitalNameOf(raw) !== undefined

/** Undefined: it is called a vital and cannot be read as one. */
function readMetric(raw: unknown, shiftSec: number): Span | undefined {
  const name = isObject(raw) ? vitalNameOf(raw) : undefined
  if (!isObject(raw) || name === undefined) return undefined
  const traceId = hexId(raw.trace_id, 32)
  const times = readTimes(raw.timestamp, undefined, shiftSec)
  const value = typeof raw.value === 'number' && Number.isFinite(raw.value) ? raw.value : undefined
  if (traceId === undefined || times === undefined || value === undefined) return undefined
  const { attributes } = readAttributes(
    { [`browser.web_vital.${name}.value`]: name === 'cls' ? value : inMs(value, raw.unit) },
    plainAttributes(raw.attributes),
  )
  return asSpan(traceId, hexId(raw.span_id, 16), times.startMs, name, attributes)
}

/** Counters count how often something happened, which no vital is. */
function vitalNameOf({ name, type }: RawObject): VitalName | undefined {
  if (typeof name !== 'string' || type === 'counter') return undefined
  const found = NAME.exec(name)?.[1]
  return isVitalName(found) ? found : undefined
}

function asSpan(
  traceId: string,
  spanId: string | undefined,
  startMs: number,
  name: VitalName,
  attributes: Span['attributes'],
): Span {
  return {
    traceId,
    spanId: spanId ?? NO_SPAN,
    parentSpanId: '',
    segmentId: hexId(textOf(attributes, 'sentry.segment.id'), 16) ?? '',
    isSegment: false,
    isMetric: true,
    startMs,
    durationMs: 0,
    op: `ui.webvital.${name}`,
    name: textOf(attributes, 'sentry.transaction'),
    status: '',
    origin: '',
    attributes,
    measurements: {},
  }
}

/**
 * A container of streamed spans: `{items: [span, …]}` with typed attributes.
 * https://develop.sentry.dev/sdk/telemetry/spans/span-protocol/
 */
export const SPAN_V2_CONTENT_TYPE = 'application/vnd.sentry.items.span.v2+json'

const MAX_NAME = 4096

/** Undefined: without ids and a start it is no span. */
function readSpanV2(raw: unknown, shiftSec: number): Span | undefined {
  if (!isObject(raw)) return undefined
  const traceId = hexId(raw.trace_id, 32)
  const spanId = hexId(raw.span_id, 16)
  const times = readTimes(raw.start_timestamp, raw.end_timestamp, shiftSec)
  if (traceId === undefined || spanId === undefined || times === undefined) return undefined
  const links = readLinks(raw.links)
  const { attributes, cut } = readAttributes(plainAttributes(raw.attributes), previousTraceOf(links))
  const isSegment = raw.is_segment === true
  return remarked(
    {
      traceId,
      spanId,
      parentSpanId: hexId(raw.parent_span_id, 16) ?? '',
      segmentId: hexId(attributes['sentry.segment.id'], 16) ?? (isSegment ? spanId : ''),
      isSegment,
      startMs: times.startMs,
      durationMs: times.durationMs,
      op: textOf(attributes, 'sentry.op') || 'default',
      name: shortText(raw.name, MAX_NAME),
      status: spanStatus(raw.status),
      origin: textOf(attributes, 'sentry.origin'),
      attributes,
      links,
      measurements: {},
    },
    { ...times, cut },
  )
}

/** The first one is kept. A navigation is reported again as it goes on, and metrics have no ids of their own. */
export function withoutRepeats(spans: readonly Span[]): { spans: readonly Span[]; repeated: number } {
  const seen = new Set<string>()
  const kept = spans.filter((span) => {
    if (isReportedAgain(span)) return true
    const id = `${span.traceId}${span.spanId}`
    if (seen.has(id)) return false
    seen.add(id)
    return true
  })
  return { spans: kept, repeated: spans.length - kept.length }
}

const isReportedAgain = ({ op, isMetric }: Span): boolean =>
  isMetric === true || op === NAVIGATION_OP || op === PREFETCH_OP
