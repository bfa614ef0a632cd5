/** Tables of spans, vitals and navigations. The ordering keys are the questions of the screens: docs/internals/telemetry-schema.md. */

const ORIGIN_COLUMNS = `project_id UInt32,
  received DateTime64(3, 'UTC') CODEC(Delta, ZSTD(1)),
  log_position UInt64 CODEC(Delta, ZSTD(1)),
  item_index UInt32 CODEC(ZSTD(1))`

const FILTER_COLUMNS = `release LowCardinality(String),
  environment LowCardinality(String),
  platform LowCardinality(String),
  sdk_name LowCardinality(String),
  sdk_version LowCardinality(String),
  user_key String CODEC(ZSTD(1)),
  browser LowCardinality(String),
  os LowCardinality(String),
  device LowCardinality(String),
  country LowCardinality(String),
  connection LowCardinality(String),
  sample_rate Float32 CODEC(ZSTD(1))`

const ATTRIBUTE_COLUMNS = `strings Map(LowCardinality(String), String) CODEC(ZSTD(1)),
  numbers Map(LowCardinality(String), Float64) CODEC(ZSTD(1))`

/**
 * Routes come first (`is_segment = 1` and an op is one range of the key, a route in it another), times within them.
 * A trace is found through a bloom filter on its id: its spans lie under many routes.
 */
export const createSpans = (durable: string): string => `CREATE TABLE IF NOT EXISTS spans (
  ${ORIGIN_COLUMNS},
  is_segment UInt8 CODEC(ZSTD(1)),
  op LowCardinality(String),
  segment_name LowCardinality(String),
  timestamp DateTime64(6, 'UTC') CODEC(Delta, ZSTD(1)),
  duration_ms Float64 CODEC(ZSTD(1)),
  trace_id FixedString(32) CODEC(ZSTD(1)),
  span_id FixedString(16) CODEC(ZSTD(1)),
  parent_span_id String CODEC(ZSTD(1)),
  segment_id String CODEC(ZSTD(1)),
  name String CODEC(ZSTD(1)),
  status LowCardinality(String),
  origin LowCardinality(String),
  ${FILTER_COLUMNS},
  ${ATTRIBUTE_COLUMNS},
  INDEX trace_of trace_id TYPE bloom_filter(0.01) GRANULARITY 1,
  INDEX timestamp_range timestamp TYPE minmax GRANULARITY 1
)
ENGINE = MergeTree
PARTITION BY toMonday(received)
ORDER BY (project_id, is_segment, op, segment_name, timestamp)
SETTINGS min_bytes_for_wide_part = 67108864, ttl_only_drop_parts = 1, ${durable}`

/**
 * A page tells a vital several times: with its load, and again when it is left. `version` says which counts; reading
 * with FINAL leaves that one. The route is no part of the key: it may be known only later.
 */
export const createVitals = (durable: string): string => `CREATE TABLE IF NOT EXISTS vitals (
  ${ORIGIN_COLUMNS},
  name LowCardinality(String),
  route LowCardinality(String),
  page_id String CODEC(ZSTD(1)),
  timestamp DateTime64(3, 'UTC') CODEC(Delta, ZSTD(1)),
  value Float64 CODEC(ZSTD(1)),
  is_final UInt8 CODEC(ZSTD(1)),
  trace_id FixedString(32) CODEC(ZSTD(1)),
  span_id FixedString(16) CODEC(ZSTD(1)),
  element String CODEC(ZSTD(1)),
  source String CODEC(ZSTD(1)),
  ${FILTER_COLUMNS},
  ${ATTRIBUTE_COLUMNS},
  version UInt64 MATERIALIZED is_final * toUInt64(1000000000000000) + toUnixTimestamp64Milli(received) CODEC(ZSTD(1)),
  INDEX timestamp_range timestamp TYPE minmax GRANULARITY 1,
  INDEX trace_of trace_id TYPE bloom_filter(0.01) GRANULARITY 1
)
ENGINE = ReplacingMergeTree(version)
PARTITION BY toMonday(received)
ORDER BY (project_id, name, page_id)
SETTINGS min_bytes_for_wide_part = 67108864, ttl_only_drop_parts = 1, ${durable}`

/** A navigation that hangs is told while it hangs and again when it ends: the row of its end replaces the other. */
export const createNavigations = (durable: string): string => `CREATE TABLE IF NOT EXISTS navigations (
  ${ORIGIN_COLUMNS},
  navigation_id FixedString(16) CODEC(ZSTD(1)),
  trace_id FixedString(32) CODEC(ZSTD(1)),
  timestamp DateTime64(3, 'UTC') CODEC(Delta, ZSTD(1)),
  duration_ms Float64 CODEC(ZSTD(1)),
  is_final UInt8 CODEC(ZSTD(1)),
  from_route LowCardinality(String),
  to_route LowCardinality(String),
  from_path String CODEC(ZSTD(1)),
  to_path String CODEC(ZSTD(1)),
  trigger LowCardinality(String),
  outcome LowCardinality(String),
  reason LowCardinality(String),
  visible_after_ms Nullable(Float32) CODEC(ZSTD(1)),
  intent_ms Nullable(Float32) CODEC(ZSTD(1)),
  match_ms Nullable(Float32) CODEC(ZSTD(1)),
  data_ms Nullable(Float32) CODEC(ZSTD(1)),
  chunk_ms Nullable(Float32) CODEC(ZSTD(1)),
  commit_ms Nullable(Float32) CODEC(ZSTD(1)),
  paint_ms Nullable(Float32) CODEC(ZSTD(1)),
  settled_ms Nullable(Float32) CODEC(ZSTD(1)),
  prefetch LowCardinality(String),
  cache LowCardinality(String),
  cache_age_ms Nullable(Float64) CODEC(ZSTD(1)),
  bytes Nullable(Float64) CODEC(ZSTD(1)),
  requests Nullable(Float32) CODEC(ZSTD(1)),
  build LowCardinality(String),
  router LowCardinality(String),
  ${FILTER_COLUMNS},
  version UInt64 MATERIALIZED is_final * toUInt64(1000000000000000) + toUnixTimestamp64Milli(received) CODEC(ZSTD(1)),
  INDEX timestamp_range timestamp TYPE minmax GRANULARITY 1,
  INDEX trace_of trace_id TYPE bloom_filter(0.01) GRANULARITY 1
)
ENGINE = ReplacingMergeTree(version)
PARTITION BY toMonday(received)
ORDER BY (project_id, navigation_id)
SETTINGS min_bytes_for_wide_part = 67108864, ttl_only_drop_parts = 1, ${durable}`

/** What fetching ahead costs, and what a load waits for that does not come. */
export const NAVIGATION_COSTS = [
  `ALTER TABLE prefetches
    ADD COLUMN IF NOT EXISTS requests Nullable(Float32) CODEC(ZSTD(1)) AFTER saved_ms,
    ADD COLUMN IF NOT EXISTS bytes Nullable(Float64) CODEC(ZSTD(1)) AFTER requests,
    ADD COLUMN IF NOT EXISTS wasted_bytes Nullable(Float64) CODEC(ZSTD(1)) AFTER bytes`,
  'ALTER TABLE navigations ADD COLUMN IF NOT EXISTS waiting_for LowCardinality(String) AFTER router',
]

/** Counts of one route on one page, told anew each time they grew. */
export const createPrefetches = (durable: string): string => `CREATE TABLE IF NOT EXISTS prefetches (
  ${ORIGIN_COLUMNS},
  prefetch_id FixedString(16) CODEC(ZSTD(1)),
  trace_id FixedString(32) CODEC(ZSTD(1)),
  timestamp DateTime64(3, 'UTC') CODEC(Delta, ZSTD(1)),
  route LowCardinality(String),
  router LowCardinality(String),
  issued UInt32 CODEC(ZSTD(1)),
  used UInt32 CODEC(ZSTD(1)),
  late UInt32 CODEC(ZSTD(1)),
  stale UInt32 CODEC(ZSTD(1)),
  wasted UInt32 CODEC(ZSTD(1)),
  saved_ms Float64 CODEC(ZSTD(1)),
  ${FILTER_COLUMNS},
  INDEX timestamp_range timestamp TYPE minmax GRANULARITY 1
)
ENGINE = ReplacingMergeTree(received)
PARTITION BY toMonday(received)
ORDER BY (project_id, prefetch_id)
SETTINGS min_bytes_for_wide_part = 67108864, ttl_only_drop_parts = 1, ${durable}`
