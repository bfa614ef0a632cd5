/**
 * An OTLP trace request, the same from JSON and from protobuf: what both readers give.
 * https://github.com/open-telemetry/opentelemetry-proto/blob/v1.9.0/opentelemetry/proto/trace/v1/trace.proto
 */
import type { RawObject } from '../normalize/read-fields.ts'

/** One process or page: everything in it has these attributes. */
export type OtlpResource = { readonly attributes: RawObject; readonly scopes: readonly OtlpScope[] }
/** One instrumentation library. Undefined among the spans: what stood there is no span that can be read. */
export type OtlpScope = {
  readonly name: string
  readonly version: string
  readonly spans: readonly (OtlpSpan | undefined)[]
}

export type OtlpSpan = {
  /** Hex in any case, as written; not checked yet. */
  readonly traceId: unknown
  readonly spanId: unknown
  readonly parentSpanId: unknown
  readonly traceState: string
  readonly name: string
  readonly kind: SpanKind
  /** Unix milliseconds with a fraction; undefined when absent, zero or no time. */
  readonly startMs: number | undefined
  readonly endMs: number | undefined
  readonly attributes: RawObject
  readonly events: readonly OtlpEvent[]
  readonly links: readonly OtlpLink[]
  readonly statusCode: number
  readonly statusMessage: string
  /** The lower bits are W3C's; see `isRemoteParent`. */
  readonly flags: number
}
export type OtlpEvent = {
  readonly name: string
  readonly atMs: number | undefined
  readonly attributes: RawObject
}
export type OtlpLink = { readonly traceId: unknown; readonly spanId: unknown }

/** In the order of their numbers. */
export const SPAN_KINDS = ['unspecified', 'internal', 'server', 'client', 'producer', 'consumer'] as const
export type SpanKind = (typeof SPAN_KINDS)[number]

const HAS_IS_REMOTE = 0x100
const IS_REMOTE = 0x200

/** Undefined: the sender is older than the flag (opentelemetry-proto 1.1) and does not say. */
export function isRemoteParent({ flags }: Pick<OtlpSpan, 'flags'>): boolean | undefined {
  return (flags & HAS_IS_REMOTE) === 0 ? undefined : (flags & IS_REMOTE) !== 0
}

// Lists and maps within each other: more than this is nobody's attribute, and readers call themselves for each.
export const MAX_VALUE_DEPTH = 16
// Of one list or map: what is cut to 4,096 characters of text anyway.
export const MAX_VALUES = 1_000
// SDKs keep 128 of each by default.
export const MAX_EVENTS = 128
