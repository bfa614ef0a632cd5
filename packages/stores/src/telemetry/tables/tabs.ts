/**
 * Open tabs: a row is one page load, told again while somebody looks at it. Rows of one page replace each other within a
 * week of receipt; readers group by `page_id`, because a tab lives longer. packages/protocol/src/navigation.ts
 */
import { BY_TIME, FILTERS, QUICK_ORIGIN, QUICK_TIME } from './shared-columns.ts'
import { DURABLE, ONE_PART_A_WEEK, type Table } from './table.ts'

export const TABS = {
  name: 'tabs',
  columns: [
    ...QUICK_ORIGIN,
    { name: 'page_id', type: 'FixedString(16)', codec: 'ZSTD(1)', about: '16 hex digits: one page load' },
    {
      name: 'tab_id',
      type: 'String',
      codec: 'ZSTD(1)',
      attribute: 'id',
      maxLength: 32,
      about: 'The tab, over its page loads; a random number',
    },
    { name: 'started', ...QUICK_TIME, about: 'When the page began to load (UTC)' },
    { name: 'timestamp', ...QUICK_TIME, about: 'When it was last seen (UTC)' },
    {
      name: 'build',
      type: 'LowCardinality(String)',
      attribute: 'build',
      maxLength: 200,
      about: 'Build of the page',
    },
    {
      name: 'recovered',
      type: 'UInt8',
      codec: 'ZSTD(1)',
      field: 'isRecovered',
      about: '1: code that could not be loaded came at a later try',
    },
    ...FILTERS,
  ],
  indexes: [BY_TIME, 'received_range received TYPE minmax GRANULARITY 1'],
  engine: 'ReplacingMergeTree(received)',
  partitionBy: 'toMonday(received)',
  ageColumn: 'received',
  orderBy: 'project_id, page_id',
  settings: `min_bytes_for_wide_part = 67108864, ttl_only_drop_parts = 1, ${DURABLE}, ${ONE_PART_A_WEEK}`,
  console: {
    about: 'Page loads in tabs that tell they are open, one row each',
    first: ['timestamp', 'started', 'build', 'tab_id', 'recovered'],
  },
} as const satisfies Table
