/**
 * Profiles: one row is a profile of a transaction, or a chunk of a profiler that runs all the time. Its samples are one
 * text, read only when the profile is opened or a flame graph is made of several: docs/decisions/0061-profiles.md.
 */
import { BY_TIME, BY_TRACE, FILTERS, ORIGIN } from './shared-columns.ts'
import { DURABLE, ONE_PART_A_WEEK, type Table } from './table.ts'

const WORD = { type: 'LowCardinality(String)' } as const
const COUNT = { type: 'UInt32', codec: 'ZSTD(1)' } as const
const TEXT = { type: 'String', codec: 'ZSTD(1)' } as const
const NUMBER = { type: 'Float64', codec: 'ZSTD(1)' } as const
const STARTED = { name: 'timestamp', type: "DateTime64(6, 'UTC')", codec: 'Delta, ZSTD(1)' } as const
const SETTINGS = `min_bytes_for_wide_part = 67108864, ttl_only_drop_parts = 1, ${DURABLE}, ${ONE_PART_A_WEEK}`

export const PROFILES = {
  name: 'profiles',
  columns: [
    ...ORIGIN,
    { ...STARTED, about: 'When it began (UTC)' },
    {
      name: 'profile_id',
      type: 'FixedString(32)',
      codec: 'ZSTD(1)',
      about: '32 hex digits: of a transaction’s profile, or of a chunk',
    },
    { name: 'profiler_id', ...TEXT, about: 'Of the profiler that sent the chunk; empty: of one transaction' },
    { name: 'transaction', ...WORD, about: 'Name of the transaction; of chunks empty' },
    { name: 'transaction_id', ...TEXT, about: 'Event id of the transaction, or empty' },
    { name: 'trace_id', ...TEXT, about: '32 hex digits, or empty' },
    { name: 'thread_id', ...TEXT, about: 'Thread that the transaction ran in, or empty' },
    { name: 'duration_ms', ...NUMBER, about: 'From the first sample to the last' },
    { name: 'samples', ...COUNT, about: 'How many stacks were taken' },
    { name: 'frames', ...COUNT, about: 'Different places of code in them' },
    { name: 'threads', ...COUNT, about: 'Threads that were sampled' },
    { name: 'remark', ...WORD, about: 'What was left out of it; empty: nothing' },
    ...FILTERS,
    // Length of the text below: how many fit into one answer is known without reading them.
    { name: 'body_size', ...COUNT },
    {
      name: 'body',
      type: 'String',
      codec: 'ZSTD(3)',
      settings: 'min_compress_block_size = 2097152, max_compress_block_size = 2097152',
    },
  ],
  indexes: [BY_TRACE, BY_TIME, 'by_profile profile_id TYPE bloom_filter(0.01) GRANULARITY 1'],
  engine: 'MergeTree',
  partitionBy: 'toMonday(received)',
  ageColumn: 'received',
  orderBy: 'project_id, transaction, profiler_id, timestamp',
  // One text has up to some megabytes: granules of few rows, so that opening one reads little.
  settings: `index_granularity_bytes = 2097152, ${SETTINGS}`,
  console: {
    about: 'Profiles of transactions, and chunks of profilers',
    first: ['timestamp', 'profile_id', 'transaction', 'duration_ms', 'samples', 'release'],
  },
} as const satisfies Table

export const PROFILE_FUNCTIONS = {
  name: 'profile_functions',
  columns: [
    ...ORIGIN,
    { ...STARTED, about: 'When its profile began (UTC)' },
    { name: 'profile_id', type: 'FixedString(32)', codec: 'ZSTD(1)', about: 'Profile that it is of' },
    { name: 'transaction', ...WORD, about: 'Name of the transaction; of chunks empty' },
    { name: 'function', ...WORD, about: 'Name of the function' },
    { name: 'file', ...WORD, about: 'File or module that it is in' },
    { name: 'in_app', type: 'UInt8', codec: 'ZSTD(1)', about: '1: the application’s own code' },
    { name: 'self_ms', ...NUMBER, about: 'Time in the function itself' },
    { name: 'total_ms', ...NUMBER, about: 'Time in it and in what it called; recursion counts once' },
    { name: 'samples', ...COUNT, about: 'Samples in the function itself' },
    ...FILTERS,
  ],
  indexes: [BY_TIME],
  engine: 'MergeTree',
  partitionBy: 'toMonday(received)',
  ageColumn: 'received',
  orderBy: 'project_id, function, file, timestamp',
  settings: SETTINGS,
  console: {
    about: 'Functions of profiles: those with most time of each',
    first: ['timestamp', 'function', 'file', 'self_ms', 'total_ms', 'samples', 'release'],
  },
} as const satisfies Table
