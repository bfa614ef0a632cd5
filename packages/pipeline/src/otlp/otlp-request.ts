/**
 * An OTLP request of spans or log records, the same from JSON and from protobuf: what both readers give.
 * https://github.com/open-telemetry/opentelemetry-proto/blob/v1.9.0/opentelemetry/proto/trace/v1/trace.proto
 * https://github.com/open-telemetry/opentelemetry-proto/blob/v1.9.0/opentelemetry/proto/logs/v1/logs.proto
 */
import type { RawObject } from '../normalize/read-fields.ts'

/** One process or page: everything in it has these attributes. */
export type OtlpResource<Item = OtlpSpan> = {
  readonly attributes: RawObject
  readonly scopes: readonly OtlpScope<Item>[]
}
/** One instrumentation library. Undefined among the items: what stood there cannot be read. */
export type OtlpScope<Item = OtlpSpan> = {
  readonly name: string
  readonly version: string
  readonly items: readonly (Item | undefined)[]
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
export type OtlpLink = {
  readonly traceId: unknown
  readonly spanId: unknown
  readonly attributes: RawObject
  /** Whether the linked span was kept; undefined: the sender is older than the flags. */
  readonly sampled: boolean | undefined
}

export type OtlpLog = {
  /** Unix milliseconds with a fraction; undefined when absent, zero or no time. */
  readonly atMs: number | undefined
  readonly observedMs: number | undefined
  /** 1 to 24; 0: nobody said. */
  readonly severityNumber: number
  readonly severityText: string
  /** Text, or any other value. */
  readonly body: unknown
  readonly attributes: RawObject
  /** Hex in any case, as written; not checked yet. */
  readonly traceId: unknown
  readonly spanId: unknown
  readonly eventName: string
}

/** In the order of their numbers. */
export const SPAN_KINDS = ['unspecified', 'internal', 'server', 'client', 'producer', 'consumer'] as const
export type SpanKind = (typeof SPAN_KINDS)[number]

const HAS_IS_REMOTE = 0x100
const IS_REMOTE = 0x200

const IS_SAMPLED = 0x1
/** Undefined: the sender is older than flags of links (opentelemetry-proto 1.1), or does not set them. */
export const isSampledLink = (flags: number): boolean | undefined =>
  (flags & HAS_IS_REMOTE) === 0 ? undefined : (flags & IS_SAMPLED) !== 0

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
