/** An OTLP request → spans as those of all other SDKs, with what its resource says on each of them. */
import { hexId } from '../normalize/contexts.ts'
import type { RawObject } from '../normalize/read-fields.ts'
import { type ReadAttributes, readAttributes } from '../spans/attributes.ts'
import { remarked, shortText } from '../spans/read-span.ts'
import { linksOf } from '../spans/span-links.ts'
import type { Span } from '../spans/span.ts'
import { isRemoteParent, type OtlpEvent, type OtlpResource, type OtlpSpan } from './otlp-request.ts'
import { aroundItems, nameOf, opOf, statusOf } from './semantics.ts'

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
      around: aroundItems(scope, resource),
      spans: scope.items.map((raw) => raw && identify(raw)),
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
      links: linksOf(raw.links),
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

/**
 * Events of a span as attributes: what was thrown under the names of the conventions, the rest as JSON text,
 * as much of it as an attribute holds. https://opentelemetry.io/docs/specs/semconv/exceptions/exceptions-spans/
 */
// Attributes end at 4,096 characters, and half an event is none.
const MAX_TEXT = 4_000
const STACK = 'exception.stacktrace'

function eventAttributes({ events, startMs }: OtlpSpan): RawObject {
  const thrown = events.findLast(({ name }) => name === 'exception')
  return {
    ...(thrown && pick(thrown.attributes, ['exception.type', 'exception.message', STACK])),
    'otel.events': asText(events.map((event) => shown(event, startMs))),
  }
}

/** `after_ms`: since the span began. The stack has an attribute of its own. */
function shown({ name, atMs, attributes }: OtlpEvent, startMs: number | undefined): RawObject {
  const { [STACK]: _, ...rest } = attributes
  const afterMs =
    atMs === undefined || startMs === undefined ? undefined : Math.round((atMs - startMs) * 1e3) / 1e3
  return { name, after_ms: afterMs, ...(Object.keys(rest).length > 0 && { attributes: rest }) }
}

/** The first of them that fit; undefined when there is none. */
function asText(list: readonly RawObject[]): string | undefined {
  let text = ''
  for (const each of list) {
    const more = `${text === '' ? '' : `${text},`}${JSON.stringify(each)}`
    if (more.length > MAX_TEXT) break
    text = more
  }
  return text === '' ? undefined : `[${text}]`
}

function pick(attributes: RawObject, names: readonly string[]): RawObject {
  return Object.fromEntries(
    names.flatMap((name) => (Object.hasOwn(attributes, name) ? [[name, attributes[name]]] : [])),
  )
}

/**
 * How likely a span was to be kept, from `ot=th:…` of its trace state: the part of 2^56 below which spans are rejected,
 * in hex without trailing zeros. https://opentelemetry.io/docs/specs/otel/trace/tracestate-handling/#sampling-threshold-value-th
 */
const DIGITS = 14

/** In (0, 1]; undefined when the state does not say. */
function sampleRateOfState(traceState: string): number | undefined {
  const own = traceState.split(',').find((member) => member.trim().startsWith('ot='))
  const threshold =
    own === undefined ? undefined : /(?:^|[=;])th:([0-9a-f]{1,14})(?:;|$)/.exec(own.trim())?.[1]
  if (threshold === undefined) return undefined
  return 1 - Number.parseInt(threshold.padEnd(DIGITS, '0'), 16) / 16 ** DIGITS
}

// Which spans of one process are its roots ("segments": what it did for somebody outside), and to which of them every
// other span belongs. Only what came in one request is known: a child whose parents came before it belongs to none.

/** A span whose ids were found good. */
type IdentifiedSpan = {
  readonly traceId: string
  readonly spanId: string
  /** Empty: none. */
  readonly parentSpanId: string
  readonly startMs: number
  readonly raw: OtlpSpan
}

type Segments = {
  isSegment(span: IdentifiedSpan): boolean
  /** The span itself when it is one; undefined when its parents are not here, or go round in a circle. */
  segmentOf(span: IdentifiedSpan): IdentifiedSpan | undefined
}

function findSegments(spans: readonly IdentifiedSpan[]): Segments {
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
