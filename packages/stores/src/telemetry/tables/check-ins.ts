/**
 * Check-ins of monitors, one row for each that an SDK sent: a run tells that it began and, under the same id, how it ended.
 * They are read by monitor and time, which is the order of the key.
 */
import { ORIGIN } from './shared-columns.ts'
import { DURABLE, ONE_PART_A_WEEK, type Table } from './table.ts'

const WORD = { type: 'LowCardinality(String)' } as const

export const CHECK_INS = {
  name: 'check_ins',
  columns: [
    ...ORIGIN,
    { name: 'monitor_slug', ...WORD, about: 'Short name of the monitor' },
    { name: 'environment', ...WORD, about: 'production, staging, …' },
    {
      name: 'check_in_id',
      type: 'FixedString(32)',
      codec: 'LZ4',
      about:
        '32 hex digits, the same for the begin and the end of a run; all zeros: the newest run that goes on',
    },
    { name: 'status', ...WORD, about: 'in_progress, ok, error or unknown' },
    {
      name: 'duration_ms',
      type: 'Nullable(Float64)',
      codec: 'ZSTD(1)',
      about: 'Milliseconds, as the SDK says; else null',
    },
    { name: 'release', ...WORD, about: 'Release as the SDK named it' },
    { name: 'trace_id', type: 'String', codec: 'ZSTD(1)', about: '32 hex digits, or empty' },
    { name: 'sdk_name', ...WORD, about: 'SDK that sent it' },
    {
      name: 'monitor_config',
      type: 'String',
      codec: 'ZSTD(1)',
      about: 'JSON of the schedule that the SDK sent along, or empty',
    },
  ],
  engine: 'MergeTree',
  partitionBy: 'toMonday(received)',
  ageColumn: 'received',
  orderBy: 'project_id, monitor_slug, environment, received',
  settings: `min_bytes_for_wide_part = 67108864, ttl_only_drop_parts = 1, ${DURABLE}, ${ONE_PART_A_WEEK}`,
  console: {
    about: 'Check-ins of monitors: what scheduled jobs told of their runs',
    first: ['received', 'monitor_slug', 'environment', 'status', 'duration_ms', 'check_in_id'],
  },
} as const satisfies Table
