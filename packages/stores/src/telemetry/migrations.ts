/**
 * How stores of earlier versions came to the schema of today. Frozen: never edit an entry. A new store is made from the
 * lists in `tables/`, and a new column or table needs no entry (`migrate.ts` adds it); what changes a column, an index
 * or a setting of a released table does: append it here and change the list too, a test holds the two together.
 * ClickHouse has no transaction over DDL, so each statement must be harmless when repeated (`IF NOT EXISTS`): a start
 * that was interrupted runs it again.
 */
export type TelemetryMigration = { readonly name: string; readonly statements: readonly string[] }

// An acknowledged insert lets the log delete its segment, so the part must be on disk, not in the page cache:
// files, folder and, because a merge replaces parts that were flushed, merged parts too. The deduplication window is
// in blocks per table; only the batch in flight can come again, 1,000 is far more than that.
const DURABLE = `non_replicated_deduplication_window = 1000,
  fsync_after_insert = 1, fsync_part_directory = 1,
  min_rows_to_fsync_after_merge = 1, min_compressed_bytes_to_fsync_after_merge = 1`

// A list of issues reads fifty short ranges in each part: with the engine's blocks of 64 kB it unpacks sixteen granules
// for one. Fewer than half the milliseconds for a tenth more bytes of these columns; parts get it as they are merged.
const SMALL_BLOCKS = ['issue_id', 'timestamp', 'user_key'].map(
  (column) =>
    `ALTER TABLE events MODIFY COLUMN ${column} MODIFY SETTING min_compress_block_size = 4096,
      max_compress_block_size = 16384`,
)

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
const createSpans = (): string => `CREATE TABLE IF NOT EXISTS spans (
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
SETTINGS min_bytes_for_wide_part = 67108864, ttl_only_drop_parts = 1, ${DURABLE}`

/**
 * A page tells a vital several times: with its load, and again when it is left. `version` says which counts; reading
 * with FINAL leaves that one. The route is no part of the key: it may be known only later.
 */
const createVitals = (): string => `CREATE TABLE IF NOT EXISTS vitals (
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
SETTINGS min_bytes_for_wide_part = 67108864, ttl_only_drop_parts = 1, ${DURABLE}`

/** A navigation that hangs is told while it hangs and again when it ends: the row of its end replaces the other. */
const createNavigations = (): string => `CREATE TABLE IF NOT EXISTS navigations (
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
SETTINGS min_bytes_for_wide_part = 67108864, ttl_only_drop_parts = 1, ${DURABLE}`

/** What fetching ahead costs, and what a load waits for that does not come. */
const NAVIGATION_COSTS = [
  `ALTER TABLE prefetches
    ADD COLUMN IF NOT EXISTS requests Nullable(Float32) CODEC(ZSTD(1)) AFTER saved_ms,
    ADD COLUMN IF NOT EXISTS bytes Nullable(Float64) CODEC(ZSTD(1)) AFTER requests,
    ADD COLUMN IF NOT EXISTS wasted_bytes Nullable(Float64) CODEC(ZSTD(1)) AFTER bytes`,
  'ALTER TABLE navigations ADD COLUMN IF NOT EXISTS waiting_for LowCardinality(String) AFTER router',
]

/** Counts of one route on one page, told anew each time they grew. */
const createPrefetches = (): string => `CREATE TABLE IF NOT EXISTS prefetches (
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
SETTINGS min_bytes_for_wide_part = 67108864, ttl_only_drop_parts = 1, ${DURABLE}`

const SEARCHED_COLUMNS = [
  `ALTER TABLE events ADD COLUMN IF NOT EXISTS browser LowCardinality(String) MATERIALIZED tags['browser'],
    ADD COLUMN IF NOT EXISTS browser_name LowCardinality(String) MATERIALIZED tags['browser.name'],
    ADD COLUMN IF NOT EXISTS os LowCardinality(String) MATERIALIZED tags['os'],
    ADD COLUMN IF NOT EXISTS os_name LowCardinality(String) MATERIALIZED tags['os.name'],
    ADD COLUMN IF NOT EXISTS device LowCardinality(String) MATERIALIZED tags['device'],
    ADD COLUMN IF NOT EXISTS device_family LowCardinality(String) MATERIALIZED tags['device.family'],
    ADD COLUMN IF NOT EXISTS runtime_name LowCardinality(String) MATERIALIZED tags['runtime.name'],
    ADD COLUMN IF NOT EXISTS server_name LowCardinality(String) MATERIALIZED tags['server_name'],
    ADD COLUMN IF NOT EXISTS user_email String MATERIALIZED JSONExtractString(payload, 'user', 'email') CODEC(ZSTD(1)),
    ADD COLUMN IF NOT EXISTS user_username String MATERIALIZED JSONExtractString(payload, 'user', 'username') CODEC(ZSTD(1)),
    ADD COLUMN IF NOT EXISTS user_ip String MATERIALIZED JSONExtractString(payload, 'user', 'ip_address') CODEC(ZSTD(1))`,
  `ALTER TABLE events MODIFY SETTING map_serialization_version = 'with_buckets',
    map_serialization_version_for_zero_level_parts = 'basic', map_buckets_min_avg_size = 0,
    map_buckets_strategy = 'constant', max_buckets_in_map = 16`,
  `ALTER TABLE events MATERIALIZE COLUMN browser,
    MATERIALIZE COLUMN browser_name,
    MATERIALIZE COLUMN os,
    MATERIALIZE COLUMN os_name,
    MATERIALIZE COLUMN device,
    MATERIALIZE COLUMN device_family,
    MATERIALIZE COLUMN runtime_name,
    MATERIALIZE COLUMN server_name,
    MATERIALIZE COLUMN user_email,
    MATERIALIZE COLUMN user_username,
    MATERIALIZE COLUMN user_ip SETTINGS mutations_sync = 0`,
]
const ONE_PART_A_WEEK = [
  `ALTER TABLE spans MODIFY SETTING min_age_to_force_merge_seconds = 3600,
      min_age_to_force_merge_on_partition_only = 1`,
  `ALTER TABLE vitals MODIFY SETTING min_age_to_force_merge_seconds = 3600,
      min_age_to_force_merge_on_partition_only = 1`,
  `ALTER TABLE navigations MODIFY SETTING min_age_to_force_merge_seconds = 3600,
      min_age_to_force_merge_on_partition_only = 1`,
  `ALTER TABLE prefetches MODIFY SETTING min_age_to_force_merge_seconds = 3600,
      min_age_to_force_merge_on_partition_only = 1`,
]
const QUICK_TIMES = [
  `ALTER TABLE vitals MODIFY COLUMN timestamp DateTime64(3, 'UTC') CODEC(T64, LZ4)`,
  `ALTER TABLE vitals MODIFY COLUMN received DateTime64(3, 'UTC') CODEC(T64, LZ4)`,
  `ALTER TABLE navigations MODIFY COLUMN timestamp DateTime64(3, 'UTC') CODEC(T64, LZ4)`,
  `ALTER TABLE navigations MODIFY COLUMN received DateTime64(3, 'UTC') CODEC(T64, LZ4)`,
  `ALTER TABLE prefetches MODIFY COLUMN timestamp DateTime64(3, 'UTC') CODEC(T64, LZ4)`,
  `ALTER TABLE prefetches MODIFY COLUMN received DateTime64(3, 'UTC') CODEC(T64, LZ4)`,
]
const VITAL_WEEKS = [
  `ALTER TABLE vitals MODIFY SETTING deduplicate_merge_projection_mode = 'rebuild',
    lightweight_mutation_projection_mode = 'rebuild'`,
  `ALTER TABLE vitals ADD PROJECTION IF NOT EXISTS by_week (
  SELECT project_id, name, route, environment, toMonday(received), toMonday(timestamp),
    quantileBFloat16WeightedState(0.75)(value, toUInt32(round(1 / sample_rate))),
    count(), sum(1 / sample_rate), min(timestamp),
    sumIf(1 / sample_rate, value <= transform(name, ['lcp', 'inp', 'cls', 'fcp', 'ttfb'], [2500, 200, 0.1, 1800, 800], 0.)),
    sumIf(1 / sample_rate, value > transform(name, ['lcp', 'inp', 'cls', 'fcp', 'ttfb'], [4000, 500, 0.25, 3000, 1800], 0.))
  GROUP BY project_id, name, route, environment, toMonday(received), toMonday(timestamp)
)`,
  `ALTER TABLE vitals MATERIALIZE PROJECTION by_week SETTINGS mutations_sync = 0`,
]
const READABLE_COLUMNS = [
  `ALTER TABLE events ADD COLUMN IF NOT EXISTS debug_ids Array(String) CODEC(ZSTD(1)),
    ADD COLUMN IF NOT EXISTS unreadable LowCardinality(String),
    ADD COLUMN IF NOT EXISTS revision UInt32 CODEC(ZSTD(1)),
    ADD INDEX IF NOT EXISTS debug_id_filter debug_ids TYPE bloom_filter(0.01) GRANULARITY 1`,
  `ALTER TABLE event_index ADD COLUMN IF NOT EXISTS revision UInt32 CODEC(ZSTD(1))`,
]

/** What a span did, without values: rows of before are filled by the engine, once, beside what else it does. */
const NORMALIZED_NAMES = [
  String.raw`ALTER TABLE spans
    ADD COLUMN IF NOT EXISTS normalized_name LowCardinality(String) DEFAULT substring(multiIf(op = 'db' OR startsWith(op, 'db.'), trimBoth(replaceRegexpAll(replaceRegexpAll(replaceRegexpAll(substring(name, 1, 4096), '\\s+', ' '), '\'(?:[^\'\\\\]|\\\\.|\'\')*\'|[$:]?\\b[0-9][\\w.]*|%s', '?'), '\\?(?:, ?\\?)+', '?')), op = 'http.client' OR startsWith(op, 'http.client.'), arrayStringConcat(arrayMap(part -> if(match(part, '^(?:[0-9]+|[0-9a-fA-F-]{16,})$'), '*', part), splitByChar('/', cutQueryStringAndFragment(substring(name, 1, 4096)))), '/'), startsWith(op, 'resource.'), replaceRegexpOne(arrayStringConcat(arrayMap(part -> if(match(part, '^(?:[0-9]+|[0-9a-fA-F-]{16,})$'), '*', part), splitByChar('/', cutQueryStringAndFragment(substring(name, 1, 4096)))), '/'), '([-.])[0-9A-Za-z_-]{8,}((?:\\.[A-Za-z][A-Za-z0-9]{0,9})+)$', '\\1*\\2'), startsWith(op, 'cache.'), replaceRegexpAll(if(strings['cache.key'] != '', strings['cache.key'], name), '\\b[0-9]+\\b', '*'), op IN ('queue.publish', 'queue.process'), if(strings['messaging.destination.name'] != '', strings['messaging.destination.name'], ''), ''), 1, 1000) AFTER origin,
    ADD COLUMN IF NOT EXISTS peer LowCardinality(String) DEFAULT multiIf(op = 'db' OR startsWith(op, 'db.') OR startsWith(op, 'cache.'), if(strings['db.system.name'] != '', strings['db.system.name'], if(strings['db.system'] != '', strings['db.system'], '')), op = 'http.client' OR startsWith(op, 'http.client.') OR startsWith(op, 'resource.'), if(strings['server.address'] != '' AND NOT (startsWith(op, 'resource.')), strings['server.address'], domain(splitByChar(' ', substring(name, 1, 4096))[-1])), op IN ('queue.publish', 'queue.process'), strings['messaging.system'], '') AFTER normalized_name,
    ADD COLUMN IF NOT EXISTS result LowCardinality(String) DEFAULT multiIf(op = 'http.client' OR startsWith(op, 'http.client.'), if(mapContains(numbers, 'http.response.status_code'), toString(numbers['http.response.status_code']), ''), startsWith(op, 'resource.'), strings['resource.render_blocking_status'], startsWith(op, 'cache.'), transform(strings['cache.hit'], ['true', 'false'], ['hit', 'miss'], ''), '') AFTER peer,
    ADD COLUMN IF NOT EXISTS bytes Float32 DEFAULT multiIf(op = 'http.client' OR startsWith(op, 'http.client.'), numbers['http.response_content_length'], startsWith(op, 'resource.'), numbers['http.response_transfer_size'], startsWith(op, 'cache.'), numbers['cache.item_size'], op IN ('queue.publish', 'queue.process'), numbers['messaging.message.body.size'], 0) CODEC(ZSTD(1)) AFTER result,
    ADD COLUMN IF NOT EXISTS decoded_bytes Float32 DEFAULT if(startsWith(op, 'resource.'), numbers['http.decoded_response_content_length'], 0) CODEC(ZSTD(1)) AFTER bytes,
    ADD COLUMN IF NOT EXISTS wait_ms Float32 DEFAULT if(op IN ('queue.publish', 'queue.process'), numbers['messaging.message.receive.latency'], 0) CODEC(ZSTD(1)) AFTER decoded_bytes`,
  `ALTER TABLE spans MATERIALIZE COLUMN normalized_name, MATERIALIZE COLUMN peer, MATERIALIZE COLUMN result,
    MATERIALIZE COLUMN bytes, MATERIALIZE COLUMN decoded_bytes, MATERIALIZE COLUMN wait_ms
    SETTINGS mutations_sync = 0`,
]

/** Which spans a span links to. Rows of before say it in attributes; the index is built as their columns are filled. */
const SPAN_LINKS = [
  `ALTER TABLE spans
    ADD COLUMN IF NOT EXISTS link_trace_ids Array(String) DEFAULT if(strings['sentry.previous_trace'] = '', arrayMap(link -> lower(JSONExtractString(link, 'trace_id')), JSONExtractArrayRaw(strings['otel.links'])), [substring(strings['sentry.previous_trace'], 1, 32)]) CODEC(ZSTD(1)) AFTER wait_ms,
    ADD COLUMN IF NOT EXISTS link_span_ids Array(String) DEFAULT if(strings['sentry.previous_trace'] = '', arrayMap(link -> lower(JSONExtractString(link, 'span_id')), JSONExtractArrayRaw(strings['otel.links'])), [substring(strings['sentry.previous_trace'], 34, 16)]) CODEC(ZSTD(1)) AFTER link_trace_ids,
    ADD COLUMN IF NOT EXISTS link_attributes Array(String) DEFAULT if(strings['sentry.previous_trace'] = '', arrayMap(link -> '{}', JSONExtractArrayRaw(strings['otel.links'])), ['{"sentry.link.type":"previous_trace"}']) CODEC(ZSTD(1)) AFTER link_span_ids,
    ADD INDEX IF NOT EXISTS linked_traces link_trace_ids TYPE bloom_filter(0.01) GRANULARITY 1`,
  `ALTER TABLE spans MATERIALIZE COLUMN link_trace_ids, MATERIALIZE COLUMN link_span_ids,
    MATERIALIZE COLUMN link_attributes, MATERIALIZE INDEX linked_traces SETTINGS mutations_sync = 0`,
]

/** Ids of events that are counted and not stored cost a tenth less. Earlier versions have no such table. */
const COUNTED_IDS_CODEC = [
  `CREATE TABLE IF NOT EXISTS counted_ids (
  project_id UInt32,
  id UInt64 CODEC(Delta, ZSTD(1)),
  day DateTime('UTC') CODEC(ZSTD(1))
)
ENGINE = MergeTree
PARTITION BY toDate(day)
ORDER BY (project_id, id)
SETTINGS index_granularity = 1024, ttl_only_drop_parts = 1, ${DURABLE}`,
  "ALTER TABLE counted_ids MODIFY COLUMN id UInt64 CODEC(Delta, T64('bit'), ZSTD(1))",
  `ALTER TABLE counted_ids MODIFY SETTING min_age_to_force_merge_seconds = 3600,
    min_age_to_force_merge_on_partition_only = 1`,
]

/** A week's spans by what they did. Rows of before are summed up in the background, once. */
const SPAN_WEEKS = [
  `ALTER TABLE spans MODIFY SETTING lightweight_mutation_projection_mode = 'rebuild'`,
  `ALTER TABLE spans ADD PROJECTION IF NOT EXISTS by_week (
  SELECT project_id, is_segment, op, if(is_segment = 1, segment_name, ''), normalized_name, peer, result, environment, toMonday(timestamp),
    count(),
    sum(1 / sample_rate),
    sum(pow(1 / sample_rate, 2)),
    sum(duration_ms / sample_rate),
    sumIf(1 / sample_rate, status NOT IN ('', 'ok', 'cancelled', 'unknown', 'unset')),
    quantileBFloat16WeightedState(0.75)(duration_ms, toUInt32(least(round(1 / sample_rate), 4e9))),
    min(duration_ms),
    max(duration_ms),
    min(timestamp),
    max(timestamp),
    argMinIfState(release, timestamp, notEmpty(release)),
    sum(bytes / sample_rate),
    sumIf(1 / sample_rate, bytes > 0),
    sum(decoded_bytes / sample_rate),
    sumIf(1 / sample_rate, decoded_bytes > 0),
    sumIf(1 / sample_rate, bytes = 0 AND decoded_bytes > 0),
    quantileBFloat16WeightedIfState(0.75)(wait_ms, toUInt32(least(round(1 / sample_rate), 4e9)), wait_ms > 0),
    uniqCombined64State(12)(segment_name),
    uniqCombinedIfState(14)(cityHash64(user_key), is_segment = 1 AND notEmpty(user_key)),
    uniqCombinedIfState(14)(cityHash64(user_key), is_segment = 1 AND notEmpty(user_key) AND duration_ms > 1200)
  GROUP BY project_id, is_segment, op, if(is_segment = 1, segment_name, ''), normalized_name, peer, result, environment, toMonday(timestamp)
) WITH SETTINGS (index_granularity = 512)`,
  `ALTER TABLE spans MATERIALIZE PROJECTION by_week SETTINGS mutations_sync = 0`,
]

export const MIGRATIONS: readonly TelemetryMigration[] = [
  {
    // Granules of 2 MiB: opening one event reads little. Payloads are compressed a whole granule at a time, so that
    // events which are alike find each other; a granule is read whole anyway. Small inserts make one file a part, so that flushing it is
    // a handful of calls, not a hundred. Merges go column by column, or payloads would fill the memory (120 MB less).
    name: '0001-events',
    statements: [
      `CREATE TABLE IF NOT EXISTS events (
  project_id UInt32,
  issue_id UInt64,
  timestamp DateTime64(3, 'UTC') CODEC(Delta, ZSTD(1)),
  received DateTime64(3, 'UTC') CODEC(Delta, ZSTD(1)),
  event_id FixedString(32) CODEC(ZSTD(1)),
  log_position UInt64 CODEC(Delta, ZSTD(1)),
  item_index UInt32 CODEC(ZSTD(1)),
  type LowCardinality(String),
  level LowCardinality(String),
  platform LowCardinality(String),
  release LowCardinality(String),
  dist LowCardinality(String),
  environment LowCardinality(String),
  transaction LowCardinality(String),
  title String CODEC(ZSTD(1)),
  culprit String CODEC(ZSTD(1)),
  exception_type LowCardinality(String),
  exception_value String CODEC(ZSTD(1)),
  message String CODEC(ZSTD(1)),
  handled LowCardinality(String),
  user_key String CODEC(ZSTD(1)),
  sdk_name LowCardinality(String),
  sdk_version LowCardinality(String),
  trace_id String CODEC(ZSTD(1)),
  span_id String CODEC(ZSTD(1)),
  url String CODEC(ZSTD(1)),
  tags Map(LowCardinality(String), String) CODEC(ZSTD(1)),
  hashes Array(String) CODEC(ZSTD(1)),
  payload String CODEC(ZSTD(3)) SETTINGS (min_compress_block_size = 2097152, max_compress_block_size = 2097152),
  INDEX timestamp_range timestamp TYPE minmax GRANULARITY 1
)
ENGINE = MergeTree
PARTITION BY toMonday(received)
ORDER BY (project_id, issue_id, timestamp)
SETTINGS index_granularity = 8192, index_granularity_bytes = 2097152, min_bytes_for_wide_part = 67108864,
  vertical_merge_algorithm_min_rows_to_activate = 1, ttl_only_drop_parts = 1, ${DURABLE}`,
    ],
  },
  {
    // Small granules: a look-up of a thousand random ids reads a thousand of them. A bloom filter gained nothing.
    name: '0002-event-index',
    statements: [
      `CREATE TABLE IF NOT EXISTS event_index (
  project_id UInt32,
  event_id FixedString(32) CODEC(ZSTD(1)),
  issue_id UInt64 CODEC(ZSTD(1)),
  timestamp DateTime64(3, 'UTC') CODEC(ZSTD(1)),
  received DateTime64(3, 'UTC') CODEC(ZSTD(1)),
  log_position UInt64 CODEC(ZSTD(1)),
  item_index UInt32 CODEC(ZSTD(1))
)
ENGINE = MergeTree
PARTITION BY toMonday(received)
ORDER BY (project_id, event_id)
SETTINGS index_granularity = 256, min_bytes_for_wide_part = 67108864, ttl_only_drop_parts = 1, ${DURABLE}`,
    ],
  },
  {
    name: '0003-outcomes',
    statements: [
      `CREATE TABLE IF NOT EXISTS outcomes (
  project_id UInt32,
  minute DateTime('UTC'),
  key_id UInt32,
  category LowCardinality(String),
  outcome LowCardinality(String),
  reason LowCardinality(String),
  quantity UInt64
)
ENGINE = SummingMergeTree(quantity)
PARTITION BY toStartOfMonth(minute)
ORDER BY (project_id, minute, key_id, category, outcome, reason)
SETTINGS ttl_only_drop_parts = 1, ${DURABLE}`,
    ],
  },
  { name: '0004-spans', statements: [createSpans()] },
  { name: '0005-vitals', statements: [createVitals()] },
  { name: '0006-navigations', statements: [createNavigations(), createPrefetches()] },
  { name: '0007-searched-columns', statements: SEARCHED_COLUMNS },
  { name: '0008-small-blocks', statements: SMALL_BLOCKS },
  { name: '0009-one-part-a-week', statements: ONE_PART_A_WEEK },
  { name: '0010-quick-times', statements: QUICK_TIMES },
  { name: '0011-vital-weeks', statements: VITAL_WEEKS },
  { name: '0012-navigation-costs', statements: NAVIGATION_COSTS },
  { name: '0013-readable', statements: READABLE_COLUMNS },
  { name: '0014-normalized-names', statements: NORMALIZED_NAMES },
  { name: '0015-span-links', statements: SPAN_LINKS },
  { name: '0018-counted-ids-codec', statements: COUNTED_IDS_CODEC },
  { name: '0019-span-weeks', statements: SPAN_WEEKS },
]
