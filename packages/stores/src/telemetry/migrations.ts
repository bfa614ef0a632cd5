/**
 * The telemetry schema as a literal list: never edit an entry that was released, append one.
 * ClickHouse has no transaction over DDL, so each statement must be harmless when repeated (`IF NOT EXISTS`):
 * a start that was interrupted runs it again. What each ordering key answers: docs/internals/telemetry-schema.md.
 */
import { READABLE_COLUMNS } from './readable-columns.ts'
import { SEARCHED_COLUMNS } from './searched-columns.ts'
import { ONE_PART_A_WEEK } from './spans/read-settings.ts'
import { QUICK_TIMES, VITAL_WEEKS } from './spans/roll-ups.ts'
import {
  createNavigations,
  createPrefetches,
  createSpans,
  createVitals,
  NAVIGATION_COSTS,
} from './spans/span-tables.ts'

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
  { name: '0004-spans', statements: [createSpans(DURABLE)] },
  { name: '0005-vitals', statements: [createVitals(DURABLE)] },
  { name: '0006-navigations', statements: [createNavigations(DURABLE), createPrefetches(DURABLE)] },
  { name: '0007-searched-columns', statements: SEARCHED_COLUMNS },
  { name: '0008-small-blocks', statements: SMALL_BLOCKS },
  { name: '0009-one-part-a-week', statements: ONE_PART_A_WEEK },
  { name: '0010-quick-times', statements: QUICK_TIMES },
  { name: '0011-vital-weeks', statements: VITAL_WEEKS },
  { name: '0012-navigation-costs', statements: NAVIGATION_COSTS },
  { name: '0013-readable', statements: READABLE_COLUMNS },
]

/** The column that a row's age is counted from: when we received it, because the sender's clock may say 1970 or 2100. */
export const AGE_COLUMNS = {
  events: 'received',
  event_index: 'received',
  outcomes: 'minute',
  spans: 'received',
  vitals: 'received',
  navigations: 'received',
  prefetches: 'received',
} as const
