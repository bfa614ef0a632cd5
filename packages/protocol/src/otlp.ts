/**
 * OTLP traces, logs and metrics: what a door takes and how it stands in the log, untouched, as an item of an envelope.
 * https://opentelemetry.io/docs/specs/otlp/#otlphttp-request
 */

/** Upstream's servers use these names among themselves; SDKs send to doors of their own instead. */
export const OTLP_TRACES_ITEM = 'otel_traces_data'
export const OTLP_LOGS_ITEM = 'otel_logs_data'
export const OTLP_METRICS_ITEM = 'otel_metrics_data'

/** The two encodings of the specification, as they stand in `Content-Type` and in the item's header. */
export const OTLP_PROTOBUF = 'application/x-protobuf'
export const OTLP_JSON = 'application/json'
export type OtlpContentType = typeof OTLP_PROTOBUF | typeof OTLP_JSON

/**
 * Spans, log records or points of metrics of one request. SDKs send 512 at once, the collector 8,192 unless told otherwise; each costs about a kilobyte
 * while it is read. https://github.com/open-telemetry/opentelemetry-collector/tree/main/processor/batchprocessor
 */
export const OTLP_MAX_ITEMS = 10_000
