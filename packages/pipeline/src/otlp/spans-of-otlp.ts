/** An OTLP request → spans as those of all other SDKs, with what its resource says on each of them. */
import { hexId } from '../normalize/trace-context.ts'
import type { RawObject } from '../normalize/read.ts'
import { type ReadAttributes, readAttributes } from '../spans/attributes.ts'
import { remarked, shortText } from '../spans/read-span.ts'
import type { Span } from '../spans/span.ts'
import { eventAttributes } from './events.ts'
import type { OtlpResource, OtlpScope, OtlpSpan } from './otlp-request.ts'
import { type ResourceAttributes, resourceAttributes } from './resource-attributes.ts'
import { sampleRateOfState } from './sample-rate.ts'
import { findSegments, type IdentifiedSpan, type Segments } from './segments.ts'
import { nameOf, opOf, statusOf } from './semantics.ts'

const MAX_OP = 128
const MAX_NAME = 4096
const MAX_ORIGIN = 128
// As for transactions; it stands on every span below.
const MAX_SEGMENT_NAME = 200

/** `lost`: without ids or a start, or unreadable. */
export type OtlpSpans = { readonly spans: readonly Span[]; readonly lost: number }

export function spansOfOtlp(resources: readonly OtlpResource[], shiftSec: number): OtlpSpans {
  const spans: Span[] = []
  let lost = 0
  for (const resource of resources) {
    const given = resource.scopes.map((scope) => ({
      around: around(scope, resource),
      spans: scope.spans.map((raw) => raw && identify(raw)),
    }))
    const all = given.flatMap(({ spans: each }) => each)
    const found = all.flatMap((span) => span ?? [])
    lost += all.length - found.length
    const segments = findSegments(found)
    const nameOfSegment = remembered(nameOfSpan)
    for (const scope of given)
      for (const span of scope.spans) {
        if (span === undefined) continue
        const segment = segments.segmentOf(span)
        const { attributes, cut } = readAttributes(
          derived(span.raw, segment && nameOfSegment(segment)),
          span.raw.attributes,
          scope.around.attributes,
        )
        spans.push(toSpan(span, segments, { attributes, cut: cut || scope.around.cut }, shiftSec))
      }
  }
  return { spans, lost }
}

function around({ name, version }: OtlpScope, { attributes }: OtlpResource): ResourceAttributes {
  const scope = {
    ...(name !== '' && { 'otel.scope.name': name }),
    ...(version !== '' && { 'otel.scope.version': version }),
  }
  return resourceAttributes(scope, attributes)
}

function remembered(of: (span: IdentifiedSpan) => string): (span: IdentifiedSpan) => string {
  const known = new Map<IdentifiedSpan, string>()
  return (span) => {
    const name = known.get(span) ?? of(span)
    known.set(span, name)
    return name
  }
}

function identify(raw: OtlpSpan): IdentifiedSpan | undefined {
  const traceId = hexId(raw.traceId, 32)
  const spanId = hexId(raw.spanId, 16)
  if (traceId === undefined || spanId === undefined || raw.startMs === undefined) return undefined
  return { traceId, spanId, parentSpanId: hexId(raw.parentSpanId, 16) ?? '', startMs: raw.startMs, raw }
}

function toSpan(
  span: IdentifiedSpan,
  segments: Segments,
  { attributes, cut }: ReadAttributes,
  shiftSec: number,
): Span {
  const { raw, traceId, spanId, parentSpanId, startMs } = span
  const named = { kind: raw.kind, name: raw.name, attributes }
  const endMs = raw.endMs ?? startMs
  return remarked(
    {
      traceId,
      spanId,
      parentSpanId,
      segmentId: segments.segmentOf(span)?.spanId ?? '',
      isSegment: segments.isSegment(span),
      startMs: startMs + shiftSec * 1000,
      durationMs: Math.max(0, endMs - startMs),
      op: shortText(opOf(named), MAX_OP),
      name: shortText(nameOf(named), MAX_NAME),
      status: statusOf({ ...raw, attributes }),
      origin: shortText(attributes['sentry.origin'] ?? 'auto.otel', MAX_ORIGIN),
      attributes,
      measurements: {},
    },
    { isBackward: endMs < startMs, cut },
  )
}

/** What is not an attribute in OpenTelemetry and would be lost otherwise. */
function derived(raw: OtlpSpan, segmentName: string | undefined): RawObject {
  return {
    'sentry.segment.name': segmentName,
    ...(raw.kind !== 'unspecified' && { 'otel.kind': raw.kind }),
    ...(raw.statusMessage !== '' && { 'otel.status_description': raw.statusMessage }),
    'sentry.sample_rate': sampleRateOfState(raw.traceState),
    ...eventAttributes(raw),
  }
}

function nameOfSpan({ raw }: IdentifiedSpan): string {
  const { attributes } = readAttributes(raw.attributes)
  return shortText(nameOf({ kind: raw.kind, name: raw.name, attributes }), MAX_SEGMENT_NAME)
}
