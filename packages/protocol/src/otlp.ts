/**
 * OTLP/HTTP traces: what a door takes and how it stands in the log, untouched, as an item of an envelope.
 * https://opentelemetry.io/docs/specs/otlp/#otlphttp-request
 */

/** Upstream's servers use this name among themselves; SDKs send to a door of its own instead. */
export const OTLP_TRACES_ITEM = 'otel_traces_data'

/** The two encodings of the specification, as they stand in `Content-Type` and in the item's header. */
export const OTLP_PROTOBUF = 'application/x-protobuf'
export const OTLP_JSON = 'application/json'
export type OtlpContentType = typeof OTLP_PROTOBUF | typeof OTLP_JSON

/**
 * Spans of one request. SDKs send 512 at once, the collector 8,192 unless told otherwise; each costs about a kilobyte
 * while it is read. https://github.com/open-telemetry/opentelemetry-collector/tree/main/processor/batchprocessor
 */
export const OTLP_MAX_SPANS = 10_000
