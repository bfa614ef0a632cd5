/**
 * Client-side navigations, and what was fetched ahead for them. `attribute` is what the reporter calls a value, without
 * the prefix `sonde.navigation.` or `sonde.prefetch.`; packages/protocol/src/navigation.ts says what each word means.
 */
import { NAVIGATION_OUTCOMES, NAVIGATION_TRIGGERS, PREFETCH_STATES } from '@sonde/protocol/navigation'
import { BY_TIME, BY_TRACE, FILTERS, QUICK_ORIGIN, QUICK_TIME, VERSION } from './shared-columns.ts'
import { DURABLE, ONE_PART_A_WEEK, type Table } from './table.ts'

const WORD = { type: 'LowCardinality(String)' } as const
const TEXT = { type: 'String', codec: 'ZSTD(1)' } as const
const MAYBE = { type: 'Nullable(Float32)', codec: 'ZSTD(1)' } as const
const MAYBE_LARGE = { type: 'Nullable(Float64)', codec: 'ZSTD(1)' } as const
const COUNT = { type: 'UInt32', codec: 'ZSTD(1)' } as const
const ID = { type: 'FixedString(16)', codec: 'ZSTD(1)' } as const
const TRACE = { name: 'trace_id', type: 'FixedString(32)', codec: 'ZSTD(1)', about: '32 hex digits' } as const

// Columns that hold few distinct values must stay so, whoever sends the attribute.
const MAX_WORD = 200
const phase = <const Phase extends string>(name: Phase) =>
  ({
    name: `${name}_ms`,
    ...MAYBE,
    attribute: `phase.${name}`,
    about: `Milliseconds of the phase "${name}"`,
  }) as const

export const NAVIGATIONS = {
  name: 'navigations',
  columns: [
    ...QUICK_ORIGIN,
    // A later row with the same id replaces this one, unless this one is final and that one is not.
    { name: 'navigation_id', ...ID, about: '16 hex digits' },
    TRACE,
    { name: 'timestamp', ...QUICK_TIME, about: 'When it began (UTC)' },
    { name: 'duration_ms', type: 'Float64', codec: 'ZSTD(1)', about: 'The whole of it' },
    { name: 'is_final', type: 'UInt8', codec: 'ZSTD(1)' },
    // Route templates, paths where none is known.
    { name: 'from_route', ...WORD, attribute: 'from_route', about: 'Route it left' },
    { name: 'to_route', ...WORD, attribute: 'to_route', about: 'Route it went to' },
    { name: 'from_path', ...TEXT, attribute: 'from', about: 'Address it left' },
    { name: 'to_path', ...TEXT, attribute: 'to', about: 'Address it went to' },
    { name: 'trigger', ...WORD, attribute: 'trigger', words: NAVIGATION_TRIGGERS, about: 'click, back, …' },
    {
      name: 'outcome',
      ...WORD,
      attribute: 'outcome',
      words: NAVIGATION_OUTCOMES,
      about: 'committed, errored, full_load, …',
    },
    // An error's type or one of the router's words.
    { name: 'reason', ...WORD, attribute: 'reason', maxLength: 120, about: 'Why it ended so' },
    {
      name: 'visible_after_ms',
      ...MAYBE,
      attribute: 'visible_after',
      about: 'Until the new page was seen',
    },
    // Each phase has a column of its own, so that percentiles read nothing else.
    phase('intent'),
    phase('match'),
    phase('data'),
    phase('chunk'),
    phase('commit'),
    phase('paint'),
    phase('settled'),
    {
      name: 'prefetch',
      ...WORD,
      attribute: 'prefetch',
      words: PREFETCH_STATES,
      about: 'What fetching ahead did for it',
    },
    { name: 'cache', ...WORD, attribute: 'cache', words: ['hit', 'miss', 'bfcache'], about: 'hit, miss, …' },
    { name: 'cache_age_ms', ...MAYBE_LARGE, attribute: 'cache_age' },
    { name: 'bytes', ...MAYBE_LARGE, attribute: 'bytes', about: 'Fetched for it' },
    { name: 'requests', ...MAYBE, attribute: 'requests', about: 'Made for it' },
    { name: 'build', ...WORD, attribute: 'build', maxLength: MAX_WORD, about: 'Build of the page' },
    { name: 'router', ...WORD, attribute: 'router', maxLength: MAX_WORD, about: 'Router of the page' },
    {
      // A page that waits for more than some ten endpoints says no more by naming them.
      name: 'waiting_for',
      ...WORD,
      attribute: 'waiting_for',
      maxLength: 500,
      about: 'Endpoints that had not answered when it was stuck or abandoned',
    },
    ...FILTERS,
    VERSION,
  ],
  indexes: [BY_TIME, BY_TRACE],
  engine: 'ReplacingMergeTree(version)',
  partitionBy: 'toMonday(received)',
  ageColumn: 'received',
  orderBy: 'project_id, navigation_id',
  settings: `min_bytes_for_wide_part = 67108864, ttl_only_drop_parts = 1, ${DURABLE}, ${ONE_PART_A_WEEK}`,
  console: {
    about: 'Client-side navigations, one row each',
    first: [
      'timestamp',
      'duration_ms',
      'visible_after_ms',
      'from_route',
      'to_route',
      'outcome',
      'reason',
      'trigger',
      'prefetch',
      'cache',
    ],
  },
} as const satisfies Table

/** Counts of one route on one page since the report before; when one of these is used later, a row with the same id replaces it. */
export const PREFETCHES = {
  name: 'prefetches',
  columns: [
    ...QUICK_ORIGIN,
    { name: 'prefetch_id', ...ID },
    TRACE,
    { name: 'timestamp', ...QUICK_TIME, about: 'When the first of them was fetched (UTC)' },
    { name: 'route', ...WORD, attribute: 'route', about: 'Route that was fetched' },
    { name: 'router', ...WORD, attribute: 'router', maxLength: MAX_WORD, about: 'Router of the page' },
    { name: 'issued', ...COUNT, attribute: 'issued', about: 'Number of fetches' },
    { name: 'used', ...COUNT, attribute: 'used', about: 'Of these used' },
    { name: 'late', ...COUNT, attribute: 'late', about: 'Came after the press' },
    { name: 'stale', ...COUNT, attribute: 'stale', about: 'Too old when needed' },
    { name: 'wasted', ...COUNT, attribute: 'wasted', about: 'Never used' },
    {
      name: 'saved_ms',
      type: 'Float64',
      codec: 'ZSTD(1)',
      attribute: 'saved',
      about: 'Milliseconds that people did not wait',
    },
    // Loads of data and code, their bytes over the network, and of these what nobody saw; older reporters send none.
    { name: 'requests', ...MAYBE, attribute: 'requests' },
    { name: 'bytes', ...MAYBE_LARGE, attribute: 'bytes' },
    { name: 'wasted_bytes', ...MAYBE_LARGE, attribute: 'wasted_bytes' },
    ...FILTERS,
  ],
  indexes: [BY_TIME],
  engine: 'ReplacingMergeTree(received)',
  partitionBy: 'toMonday(received)',
  ageColumn: 'received',
  orderBy: 'project_id, prefetch_id',
  settings: `min_bytes_for_wide_part = 67108864, ttl_only_drop_parts = 1, ${DURABLE}, ${ONE_PART_A_WEEK}`,
  console: {
    about: 'Routes fetched ahead, one row a page, route and report',
    first: ['timestamp', 'route', 'issued', 'used', 'late', 'stale', 'wasted', 'saved_ms'],
  },
} as const satisfies Table
