/** Columns that several tables have. */
import { numberText } from '../row-text.ts'

/** Of the log, the other half of the position. Left out of a row, and of rows of earlier versions: 0, the only one there was. */
export const LOG_PARTITION = {
  name: 'log_partition',
  type: 'UInt32',
  codec: 'ZSTD(1)',
  write: (partition: number | undefined) => String(partition ?? 0),
} as const

/**
 * Of the row. A row that is replaced (its texts are scrubbed) is written anew with a higher one, then the old one is deleted.
 * Left out of a row, and of rows of earlier versions: 0.
 */
const REVISION = {
  name: 'revision',
  type: 'UInt32',
  codec: 'ZSTD(1)',
  write: (revision: number | undefined) => String(revision ?? 0),
} as const

/** Where a row came from and when; tells a repeated batch from a repeated span. */
export const ORIGIN = [
  { name: 'project_id', type: 'UInt32', about: 'Its number; narrows faster than the name' },
  {
    name: 'received',
    type: "DateTime64(3, 'UTC')",
    codec: 'Delta, ZSTD(1)',
    about: 'When it arrived (UTC); weeks of it are stored apart',
  },
  LOG_PARTITION,
  { name: 'log_position', type: 'UInt64', codec: 'Delta, ZSTD(1)' },
  { name: 'item_index', type: 'UInt32', codec: 'ZSTD(1)' },
  REVISION,
] as const

/**
 * Times lie among rows that are sorted by other things, so their differences are as random as they are: only the bits
 * that a week needs are kept, which is a quarter smaller than ZSTD of the differences and three times as fast to read.
 */
export const QUICK_TIME = { type: "DateTime64(3, 'UTC')", codec: 'T64, LZ4' } as const

const [PROJECT_ID, RECEIVED, PARTITION, LOG_POSITION, ITEM_INDEX] = ORIGIN
/** `ORIGIN` of tables that are sorted by ids. */
export const QUICK_ORIGIN = [
  PROJECT_ID,
  { ...RECEIVED, ...QUICK_TIME },
  PARTITION,
  LOG_POSITION,
  ITEM_INDEX,
  REVISION,
] as const

/** Nobody keeps one in a million; what a 32-bit float holds as 0 would stand for infinitely many, and fail its insert. */
const MIN_SAMPLE_RATE = 1e-6

/** What screens narrow by; the same on spans, vitals, navigations and prefetches. Empty: nobody said. */
export const FILTERS = [
  { name: 'release', type: 'LowCardinality(String)', about: 'Release as the SDK named it', filter: true },
  { name: 'environment', type: 'LowCardinality(String)', about: 'production, staging, …', filter: true },
  { name: 'platform', type: 'LowCardinality(String)', about: 'javascript, node, python, …' },
  { name: 'sdk_name', type: 'LowCardinality(String)', about: 'SDK that sent it' },
  { name: 'sdk_version', type: 'LowCardinality(String)', about: 'Its version' },
  {
    name: 'user_key',
    type: 'String',
    codec: 'ZSTD(1)',
    about: 'id:42, email:…; empty when nobody is known',
  },
  { name: 'browser', type: 'LowCardinality(String)', about: 'Name of the browser', filter: true },
  { name: 'os', type: 'LowCardinality(String)', about: 'Operating system', filter: true },
  { name: 'device', type: 'LowCardinality(String)', about: 'mobile, tablet, desktop', filter: true },
  { name: 'country', type: 'LowCardinality(String)', about: 'Two letters', filter: true },
  // Effective connection type.
  { name: 'connection', type: 'LowCardinality(String)', about: '4g, 3g, …', filter: true },
  {
    // Share of traces that the sender keeps, 0 < rate ≤ 1.
    name: 'sample_rate',
    type: 'Float32',
    codec: 'ZSTD(1)',
    write: (rate: number) => numberText(Math.max(MIN_SAMPLE_RATE, rate)),
    about: 'A row stands for 1 / sample_rate',
  },
] as const

/** Names by which the performance screens narrow. */
export type FilterColumn = Extract<(typeof FILTERS)[number], { filter: true }>['name']
export const FILTER_COLUMNS = FILTERS.flatMap((column): readonly FilterColumn[] =>
  'filter' in column ? [column.name] : [],
)

/** Puts final rows above provisional ones, and later rows above earlier ones: `FINAL` leaves the highest. */
export const VERSION = {
  name: 'version',
  type: 'UInt64',
  materialized: 'is_final * toUInt64(1000000000000000) + toUnixTimestamp64Milli(received)',
  codec: 'ZSTD(1)',
} as const

export const BY_TRACE = 'trace_of trace_id TYPE bloom_filter(0.01) GRANULARITY 1'
export const BY_TIME = 'timestamp_range timestamp TYPE minmax GRANULARITY 1'
