/**
 * Sessions, for release health. A row is one session, or what an SDK counted of one minute: in both the five columns of
 * counts are disjoint, and their sum is a number of sessions. An SDK tells a session again as it goes on; reading with
 * FINAL leaves the row with the highest `version`: docs/decisions/0055-sessions-are-rows.md.
 */
import { QUICK_ORIGIN, QUICK_TIME } from './shared-columns.ts'
import { DURABLE, ONE_PART_A_WEEK, type Table } from './table.ts'

const WORD = { type: 'LowCardinality(String)' } as const
const COUNT = { type: 'UInt32', codec: 'T64, LZ4' } as const

export const SESSIONS = {
  name: 'sessions',
  columns: [
    ...QUICK_ORIGIN,
    { name: 'started', ...QUICK_TIME, about: 'When it began (UTC); of counts the minute' },
    {
      name: 'session_id',
      type: 'FixedString(32)',
      codec: 'LZ4',
      about: '32 hex digits; of counts a number of their own',
    },
    { name: 'release', ...WORD, about: 'Release as the SDK named it' },
    { name: 'environment', ...WORD, about: 'production, staging, …' },
    {
      name: 'user_hash',
      type: 'String',
      codec: 'LZ4',
      about: 'Tells users apart without naming them; empty when nobody is known',
    },
    { name: 'status', ...WORD, about: 'ok, exited, crashed, abnormal, …; counts of an SDK have counted' },
    { name: 'healthy', ...COUNT, about: 'Sessions without any error' },
    { name: 'errored', ...COUNT, about: 'With errors that were handled' },
    { name: 'unhandled', ...COUNT, about: 'With an unhandled error that ended nothing' },
    { name: 'abnormal', ...COUNT, about: 'That hung or were killed' },
    { name: 'crashed', ...COUNT, about: 'That crashed' },
    { name: 'errors', ...COUNT, about: 'Errors of the session' },
    {
      name: 'duration_ms',
      type: 'Nullable(Float64)',
      codec: 'ZSTD(1)',
      about: 'Milliseconds; null where the SDK does not say',
    },
    { name: 'sdk_name', ...WORD, about: 'SDK that sent it' },
    { name: 'version', type: 'UInt64', codec: 'T64, LZ4' },
  ],
  engine: 'ReplacingMergeTree(version)',
  // A function of the key, so that all rows of a session lie in one part of the table whenever they arrive: weeks of
  // receipt would count a session of Sunday night twice. The pipeline takes no session of before the last few days.
  partitionBy: 'toMonday(started)',
  ageColumn: 'received',
  orderBy: 'project_id, started, session_id',
  settings: `min_bytes_for_wide_part = 67108864, ttl_only_drop_parts = 1, ${DURABLE}, ${ONE_PART_A_WEEK}`,
  console: {
    about: 'Sessions and counts of sessions: add up the five columns of counts',
    first: [
      'started',
      'release',
      'environment',
      'status',
      'healthy',
      'errored',
      'unhandled',
      'abnormal',
      'crashed',
    ],
  },
} as const satisfies Table
