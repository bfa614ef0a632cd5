/**
 * Spans: what took time. Routes come first in the key (`is_segment = 1` and an op is one range of it, a route in it
 * another), times within them. A trace is found through a bloom filter on its id: its spans lie under many routes.
 */
import { attributeColumns } from './column.ts'
import { BY_TIME, BY_TRACE, FILTERS, ORIGIN } from './shared-columns.ts'
import { DURABLE, ONE_PART_A_WEEK, type Table } from './table.ts'

export const SPANS = {
  name: 'spans',
  columns: [
    ...ORIGIN,
    { name: 'is_segment', type: 'UInt8', codec: 'ZSTD(1)', about: '1: it is the transaction itself' },
    { name: 'op', type: 'LowCardinality(String)', about: 'Kind of work: pageload, http.client, db, …' },
    {
      // Name of the root: the route template where it is known.
      name: 'segment_name',
      type: 'LowCardinality(String)',
      about: 'Name of the transaction that it belongs to',
    },
    {
      // Unix milliseconds with a fraction: spans within one millisecond keep their order.
      name: 'timestamp',
      type: "DateTime64(6, 'UTC')",
      codec: 'Delta, ZSTD(1)',
      field: 'startMs',
      about: 'When it began (UTC)',
    },
    {
      name: 'duration_ms',
      type: 'Float64',
      codec: 'ZSTD(1)',
      about: 'How long it took, in milliseconds',
    },
    { name: 'trace_id', type: 'FixedString(32)', codec: 'ZSTD(1)', about: '32 hex digits' },
    { name: 'span_id', type: 'FixedString(16)', codec: 'ZSTD(1)', about: '16 hex digits' },
    { name: 'parent_span_id', type: 'String', codec: 'ZSTD(1)', about: 'Empty for the first of a service' },
    { name: 'segment_id', type: 'String', codec: 'ZSTD(1)', about: 'span_id of its transaction' },
    {
      name: 'name',
      type: 'String',
      codec: 'ZSTD(1)',
      about: 'What was done: a statement, an address, a function',
    },
    {
      name: 'status',
      type: 'LowCardinality(String)',
      about: 'ok, internal_error, …; empty when nobody said',
    },
    { name: 'origin', type: 'LowCardinality(String)', about: 'What made the span' },
    ...FILTERS,
    ...attributeColumns('attributes'),
  ],
  indexes: [BY_TRACE, BY_TIME],
  engine: 'MergeTree',
  partitionBy: 'toMonday(received)',
  ageColumn: 'received',
  orderBy: 'project_id, is_segment, op, segment_name, timestamp',
  settings: `min_bytes_for_wide_part = 67108864, ttl_only_drop_parts = 1, ${DURABLE}, ${ONE_PART_A_WEEK}`,
  console: {
    about: 'What took time: transactions and everything inside them',
    first: ['timestamp', 'duration_ms', 'op', 'name', 'segment_name', 'is_segment', 'status', 'origin'],
  },
} as const satisfies Table
