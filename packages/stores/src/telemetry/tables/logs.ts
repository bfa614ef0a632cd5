/**
 * Lines of logs: the newest of a project are the end of one range of the key. A trace is found through a bloom filter on
 * its id, a text through one on the pieces of four letters that bodies are made of: docs/decisions/0056-logs.md.
 */
import { attributeColumns } from './column.ts'
import { BY_TIME, BY_TRACE, FILTERS, ORIGIN } from './shared-columns.ts'
import { DURABLE, ONE_PART_A_WEEK, type Table } from './table.ts'

/** `lower(body) LIKE …` leaves out granules of 8,192 lines that have not all pieces of the text. */
const BY_BODY = 'body_pieces lower(body) TYPE ngrambf_v1(4, 32768, 3, 0) GRANULARITY 1'

export const LOGS = {
  name: 'logs',
  columns: [
    ...ORIGIN,
    // Within its item: with the columns above it names the row.
    { name: 'row_index', type: 'UInt32', codec: 'ZSTD(1)' },
    {
      // Unix milliseconds with a fraction.
      name: 'timestamp',
      type: "DateTime64(6, 'UTC')",
      codec: 'Delta, ZSTD(1)',
      about: 'When it was written (UTC)',
    },
    {
      name: 'sequence',
      type: 'UInt32',
      codec: 'ZSTD(1)',
      about: 'Order among lines of the same time, as the SDK says',
    },
    {
      name: 'severity',
      type: 'LowCardinality(String)',
      about: 'trace, debug, info, warn, error, fatal; other words as they were sent',
    },
    {
      name: 'severity_number',
      type: 'UInt32',
      codec: 'ZSTD(1)',
      about: '1 to 24 as OpenTelemetry counts; 0: unknown',
    },
    { name: 'body', type: 'String', codec: 'ZSTD(1)', about: 'The text of the line' },
    { name: 'trace_id', type: 'String', codec: 'ZSTD(1)', about: '32 hex digits, or empty' },
    { name: 'span_id', type: 'String', codec: 'ZSTD(1)', about: '16 hex digits, or empty' },
    ...FILTERS,
    ...attributeColumns('attributes'),
  ],
  indexes: [BY_TRACE, BY_TIME, BY_BODY],
  engine: 'MergeTree',
  partitionBy: 'toMonday(received)',
  ageColumn: 'received',
  orderBy: 'project_id, timestamp',
  settings: `min_bytes_for_wide_part = 67108864, ttl_only_drop_parts = 1, ${DURABLE}, ${ONE_PART_A_WEEK}`,
  console: {
    about: 'Lines of logs',
    first: ['timestamp', 'severity', 'body', 'trace_id', 'span_id'],
  },
} as const satisfies Table
