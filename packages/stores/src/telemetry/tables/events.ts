/** Stored events, and where each lies by its id. */
import { numberListText, secondText } from '../row-text.ts'
import { BY_TIME, LOG_PARTITION } from './shared-columns.ts'
import { DURABLE, type Table } from './table.ts'

// A list of issues reads fifty short ranges in each part: with the engine's blocks of 64 kB it unpacks sixteen granules
// for one. Fewer than half the milliseconds for a tenth more bytes of these columns.
const SMALL_BLOCKS = 'min_compress_block_size = 4096, max_compress_block_size = 16384'

const TEXT = { type: 'String', codec: 'ZSTD(1)' } as const
/** Few distinct values. */
const WORD = { type: 'LowCardinality(String)' } as const
const ofTag = <const Tag extends string>(tag: Tag) =>
  ({ ...WORD, materialized: `tags['${tag}']`, tag }) as const
const ofUser = (member: string) =>
  ({ ...TEXT, materialized: `JSONExtractString(payload, 'user', '${member}')` }) as const

export const EVENTS = {
  name: 'events',
  columns: [
    { name: 'project_id', type: 'UInt32', about: 'Its number; narrows faster than the name' },
    {
      name: 'issue_id',
      type: 'UInt64',
      settings: SMALL_BLOCKS,
      isCommitted: true,
      about: 'Number of its issue',
    },
    {
      name: 'timestamp',
      type: "DateTime64(3, 'UTC')",
      codec: 'Delta, ZSTD(1)',
      settings: SMALL_BLOCKS,
      about: 'When it happened (UTC)',
    },
    {
      name: 'received',
      type: "DateTime64(3, 'UTC')",
      codec: 'Delta, ZSTD(1)',
      about: 'When it arrived (UTC); weeks of it are stored apart',
    },
    { name: 'event_id', type: 'FixedString(32)', codec: 'ZSTD(1)', about: '32 hex digits' },
    // Where it stood in the log: tells a repeated batch from a repeated event.
    LOG_PARTITION,
    { name: 'log_position', type: 'UInt64', codec: 'Delta, ZSTD(1)' },
    { name: 'item_index', type: 'UInt32', codec: 'ZSTD(1)' },
    { name: 'type', ...WORD, about: 'error, default, csp, …' },
    { name: 'level', ...WORD, about: 'fatal, error, warning, info, debug' },
    { name: 'platform', ...WORD, about: 'javascript, node, python, …' },
    { name: 'release', ...WORD, about: 'Release as the SDK named it' },
    { name: 'dist', ...WORD, about: 'Build of the release' },
    { name: 'environment', ...WORD, about: 'production, staging, …' },
    { name: 'transaction', ...WORD, about: 'Route or task' },
    { name: 'title', ...TEXT, about: 'As in the list of issues' },
    { name: 'culprit', ...TEXT, about: 'Where it happened' },
    { name: 'exception_type', ...WORD, about: 'TypeError, …' },
    { name: 'exception_value', ...TEXT, about: 'Message of the exception' },
    { name: 'message', ...TEXT, about: 'Text of a logged message' },
    { name: 'handled', ...WORD, about: 'yes, no, or empty' },
    // `id:42`, `email:…`, `username:…` or `ip:…`: what "users" counts.
    {
      name: 'user_key',
      ...TEXT,
      settings: SMALL_BLOCKS,
      about: 'id:42, email:…; empty when nobody is known',
    },
    { name: 'sdk_name', ...WORD, about: 'SDK that sent it' },
    { name: 'sdk_version', ...WORD, about: 'Its version' },
    { name: 'trace_id', ...TEXT, about: '32 hex digits' },
    { name: 'span_id', ...TEXT, about: '16 hex digits' },
    { name: 'url', ...TEXT, about: 'Address of the page or request' },
    {
      name: 'tags',
      type: 'Map(LowCardinality(String), String)',
      codec: 'ZSTD(1)',
      about: "Tags: tags['server_name']",
    },
    { name: 'hashes', type: 'Array(String)', codec: 'ZSTD(1)' },
    {
      // The normalised event as JSON text (`NormalizedEvent`). Compressed a whole granule at a time, so that events which
      // are alike find each other; a granule is read whole anyway.
      name: 'payload',
      type: 'String',
      codec: 'ZSTD(3)',
      settings: 'min_compress_block_size = 2097152, max_compress_block_size = 2097152',
    },
    // What is searched often has a column of its own: of a million events a column takes some 15 ms, the tags take 300,
    // and the payloads (7 GB) more memory than a query may have.
    { name: 'browser', ...ofTag('browser'), about: 'Browser with its version' },
    { name: 'browser_name', ...ofTag('browser.name') },
    { name: 'os', ...ofTag('os'), about: 'Operating system with its version' },
    { name: 'os_name', ...ofTag('os.name') },
    { name: 'device', ...ofTag('device'), about: 'Model of the device' },
    { name: 'device_family', ...ofTag('device.family') },
    { name: 'runtime_name', ...ofTag('runtime.name') },
    { name: 'server_name', ...ofTag('server_name') },
    { name: 'noise_class', ...ofTag('noise.class'), about: 'extension, bot, offline, …; empty: none' },
    { name: 'user_email', ...ofUser('email') },
    { name: 'user_username', ...ofUser('username') },
    { name: 'user_ip', ...ofUser('ip_address') },
    // Of the script files in its stacks, lower case with hyphens: finds the events that a late source map makes readable.
    { name: 'debug_ids', type: 'Array(String)', codec: 'ZSTD(1)' },
    // Why its stacks are not readable: the `FrameProblem` of the most of its own frames; empty: they are.
    { name: 'unreadable', ...WORD },
    // 0 as it came; one more each time that it was processed again with a later source map. Rows are replaced, not
    // changed (the issue is in their key): the new one has a higher revision, then the old one is deleted.
    { name: 'revision', type: 'UInt32', codec: 'ZSTD(1)' },
    {
      // Events of the same issue that were counted and not stored (decisions/0043, 0075). The last two columns: the
      // committer writes them over.
      name: 'left_out',
      type: 'UInt32',
      codec: 'ZSTD(1)',
      write: (events: number | undefined) => String(events ?? 0),
      about: 'Events like it that were counted and not stored: sum(1 + left_out) counts all',
    },
    {
      // CRC32 of their `user_key`, each once within an hour of receipt and events that are alike; again in each five
      // minutes as long as those have told few.
      name: 'left_out_users',
      type: 'Array(UInt32)',
      codec: 'ZSTD(1)',
      write: (users: readonly number[] | undefined) => numberListText(users ?? []),
    },
  ],
  indexes: [BY_TIME, 'debug_id_filter debug_ids TYPE bloom_filter(0.01) GRANULARITY 1'],
  engine: 'MergeTree',
  partitionBy: 'toMonday(received)',
  ageColumn: 'received',
  orderBy: 'project_id, issue_id, timestamp',
  // Granules of 2 MiB: opening one event reads little. Small inserts make one file a part, so that flushing it is a
  // handful of calls, not a hundred. Merges go column by column, or payloads would fill the memory (120 MB less). Of the
  // tags one of sixteen parts is read for a key instead of all of them, in parts that were merged.
  settings: `index_granularity = 8192, index_granularity_bytes = 2097152, min_bytes_for_wide_part = 67108864,
  vertical_merge_algorithm_min_rows_to_activate = 1, ttl_only_drop_parts = 1, ${DURABLE},
  map_serialization_version = 'with_buckets', map_serialization_version_for_zero_level_parts = 'basic',
  map_buckets_min_avg_size = 0, map_buckets_strategy = 'constant', max_buckets_in_map = 16`,
  console: {
    about: 'Errors and messages, without their payload',
    first: ['timestamp', 'issue_id', 'event_id', 'type', 'level', 'title', 'culprit', 'message'],
  },
} as const satisfies Table

const { console: _console, indexes: _indexes, ...PLAIN } = EVENTS
/** Events that somebody deleted, for the day in which they can be restored: no query of people reads it. */
export const DELETED_EVENTS = { ...PLAIN, name: 'deleted_events' } as const satisfies Table

/** How many events the rows stand for: what was left out counts with the event that was kept. */
export const EVENT_COUNT = 'sum(1 + left_out)'

/** Users of a row: its own and those of the events that count with it, each as a number. */
export const USERS_OF_ROW =
  "if(user_key = '', left_out_users, arrayPushBack(left_out_users, CRC32(user_key)))"
/**
 * How many users the rows stand for. The engine's sketch is within 1 %; two of a million users have the same number in
 * one of 8,600 cases.
 */
export const EVENT_USERS = `uniqArray(${USERS_OF_ROW})`

/** Tag → column of `events` that has it. */
export const TAG_COLUMNS: ReadonlyMap<string, string> = new Map(
  EVENTS.columns.flatMap((column) => ('tag' in column ? [[column.tag, column.name] as const] : [])),
)

export const EVENT_INDEX = {
  name: 'event_index',
  columns: [
    { name: 'project_id', type: 'UInt32' },
    { name: 'event_id', type: 'FixedString(32)', codec: 'ZSTD(1)' },
    { name: 'issue_id', type: 'UInt64', codec: 'ZSTD(1)', isCommitted: true },
    { name: 'timestamp', type: "DateTime64(3, 'UTC')", codec: 'ZSTD(1)' },
    { name: 'received', type: "DateTime64(3, 'UTC')", codec: 'ZSTD(1)' },
    LOG_PARTITION,
    { name: 'log_position', type: 'UInt64', codec: 'ZSTD(1)' },
    { name: 'item_index', type: 'UInt32', codec: 'ZSTD(1)' },
    { name: 'revision', type: 'UInt32', codec: 'ZSTD(1)' },
  ],
  engine: 'MergeTree',
  partitionBy: 'toMonday(received)',
  ageColumn: 'received',
  orderBy: 'project_id, event_id',
  // Small granules: a look-up of a thousand random ids reads a thousand of them. A bloom filter gained nothing.
  settings: `index_granularity = 256, min_bytes_for_wide_part = 67108864, ttl_only_drop_parts = 1, ${DURABLE}`,
} as const satisfies Table

const DAY_MS = 86_400_000

/**
 * Ids of events that were counted and not stored, so that they are not counted again when their SDK sends them once more. A
 * whole line of `event_index` would be dearer than many an event: this is 44 bits of a hash, sorted, of which differences
 * remain: 27 bits of each of a million (3.4 bytes; with ZSTD alone 3.8). Senders that got no answer try again within minutes,
 * those that keep events on disk with their next start: a week is remembered.
 */
export const COUNTED_IDS = {
  name: 'counted_ids',
  columns: [
    { name: 'project_id', type: 'UInt32' },
    { name: 'id', type: 'UInt64', codec: "Delta, T64('bit'), ZSTD(1)" },
    {
      name: 'day',
      type: "DateTime('UTC')",
      codec: 'ZSTD(1)',
      field: 'receivedMs',
      write: (receivedMs: number) => secondText(Math.floor(receivedMs / DAY_MS) * DAY_MS),
    },
  ],
  engine: 'MergeTree',
  partitionBy: 'toDate(day)',
  ageColumn: 'day',
  keepDays: 7,
  orderBy: 'project_id, id',
  // A day that is over becomes one part: the more ids are sorted together, the less each costs.
  settings: `index_granularity = 1024, ttl_only_drop_parts = 1, ${DURABLE},
  min_age_to_force_merge_seconds = 3600, min_age_to_force_merge_on_partition_only = 1`,
} as const satisfies Table
