/**
 * Points of metrics, each as it was told. Those of one name lie together, and of one series in the order of time, so that what a
 * cumulative counter grew by is found by reading on: docs/decisions/0057-metrics.md.
 */
import { attributeColumns } from './column.ts'
import { BY_TIME, BY_TRACE, FILTERS, ORIGIN } from './shared-columns.ts'
import { DURABLE, ONE_PART_A_WEEK, type Table } from './table.ts'

export const METRICS = {
  name: 'metrics',
  columns: [
    ...ORIGIN,
    // Within its item: with the columns above it names the row.
    { name: 'row_index', type: 'UInt32', codec: 'ZSTD(1)' },
    {
      name: 'name',
      type: 'LowCardinality(String)',
      about: 'Name of the metric: http.server.request.duration',
    },
    {
      name: 'type',
      type: 'LowCardinality(String)',
      about: 'counter, gauge, distribution (single measurements), histogram, summary',
    },
    { name: 'unit', type: 'LowCardinality(String)', about: 'As it was sent: millisecond, By, {request}' },
    {
      name: 'temporality',
      type: 'LowCardinality(String)',
      about: 'delta: since the point before; cumulative: since start',
    },
    {
      name: 'series',
      type: 'String',
      codec: 'ZSTD(1)',
      about: 'Same name, program and attributes: 16 hex digits; empty for single measurements',
    },
    {
      name: 'timestamp',
      type: "DateTime64(3, 'UTC')",
      codec: 'Delta, ZSTD(1)',
      about: 'When it was measured (UTC)',
    },
    {
      name: 'start',
      type: "DateTime64(3, 'UTC')",
      codec: 'Delta, ZSTD(1)',
      about: 'Since when a cumulative point counts (UTC)',
    },
    { name: 'value', type: 'Float64', codec: 'ZSTD(1)', about: 'The value; the sum of a histogram' },
    { name: 'count', type: 'Float64', codec: 'ZSTD(1)', about: 'Measurements that the point stands for' },
    { name: 'lowest', type: 'Float64', codec: 'ZSTD(1)', about: 'Smallest of them, where it is known' },
    { name: 'highest', type: 'Float64', codec: 'ZSTD(1)', about: 'Largest of them, where it is known' },
    { name: 'bucket_from', type: 'Array(Float64)', codec: 'ZSTD(1)', about: 'Lower ends of buckets' },
    { name: 'bucket_to', type: 'Array(Float64)', codec: 'ZSTD(1)', about: 'Upper ends of buckets' },
    { name: 'bucket_counts', type: 'Array(Float64)', codec: 'ZSTD(1)', about: 'Measurements in each bucket' },
    { name: 'trace_id', type: 'String', codec: 'ZSTD(1)', about: '32 hex digits, or empty' },
    { name: 'span_id', type: 'String', codec: 'ZSTD(1)', about: '16 hex digits, or empty' },
    {
      name: 'exemplars',
      type: 'String',
      codec: 'ZSTD(1)',
      about: 'Single measurements of the point with their traces, as JSON',
    },
    ...FILTERS,
    ...attributeColumns('attributes'),
  ],
  indexes: [BY_TRACE, BY_TIME],
  engine: 'MergeTree',
  partitionBy: 'toMonday(received)',
  ageColumn: 'received',
  orderBy: 'project_id, name, series, timestamp',
  settings: `min_bytes_for_wide_part = 67108864, ttl_only_drop_parts = 1, ${DURABLE}, ${ONE_PART_A_WEEK}`,
  console: {
    about: 'Points of metrics',
    first: ['timestamp', 'name', 'type', 'value', 'count', 'unit'],
  },
} as const satisfies Table
