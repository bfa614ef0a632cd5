/**
 * Parts of session replays: a row is what one segment's event told of the visit, or what was seen in its recording. A
 * replay is the sum of its rows. The recordings are blobs: docs/decisions/0060-session-replay.md.
 */
import { BY_TIME, FILTERS, QUICK_ORIGIN, QUICK_TIME } from './shared-columns.ts'
import { DURABLE, ONE_PART_A_WEEK, type Table } from './table.ts'

const COUNT = { type: 'UInt32', codec: 'T64, LZ4' } as const
const LIST = { type: 'Array(String)', codec: 'ZSTD(1)' } as const

export const REPLAYS = {
  name: 'replays',
  columns: [
    ...QUICK_ORIGIN,
    { name: 'replay_id', type: 'FixedString(32)', codec: 'ZSTD(1)', about: '32 hex digits' },
    { name: 'segment', ...COUNT, about: 'Number of the segment, from 0' },
    {
      name: 'kind',
      type: 'LowCardinality(String)',
      about: 'event: what the SDK told; recording: what was seen',
    },
    { name: 'timestamp', ...QUICK_TIME, about: 'When the replay, or this part of it, began (UTC)' },
    { name: 'finished', ...QUICK_TIME, about: 'When this part ended (UTC)' },
    ...FILTERS,
    { name: 'user_name', type: 'String', codec: 'ZSTD(1)', about: 'Name, e-mail or id of the user' },
    { name: 'time_zone', type: 'LowCardinality(String)', about: 'IANA name of the zone of the visitor' },
    { name: 'replay_type', type: 'LowCardinality(String)', about: 'session, or buffer: kept for an error' },
    { name: 'urls', ...LIST, about: 'Addresses that were visited' },
    { name: 'error_ids', ...LIST, about: 'Ids of the errors meanwhile' },
    { name: 'trace_ids', ...LIST, about: 'Traces of the visit' },
    { name: 'clicks', ...COUNT, about: 'Clicks' },
    { name: 'rage_clicks', ...COUNT, about: 'Places that were clicked again and again' },
    { name: 'dead_clicks', ...COUNT, about: 'Clicks that changed nothing' },
    { name: 'rage_selectors', ...LIST, about: 'Elements that were clicked again and again' },
    { name: 'dead_selectors', ...LIST, about: 'Elements whose clicks changed nothing' },
    { name: 'navigations', ...COUNT, about: 'Pages and routes that were opened' },
    { name: 'requests', ...COUNT, about: 'Requests by fetch and XMLHttpRequest' },
    { name: 'failed_requests', ...COUNT, about: 'Of those, answered with 400 and above, or not at all' },
    { name: 'console_lines', ...COUNT, about: 'Lines of the console' },
    { name: 'vitals', ...COUNT, about: 'Web vitals' },
    { name: 'mutations', ...COUNT, about: 'Changes of the page' },
    { name: 'rrweb_events', ...COUNT, about: 'Events of the recording' },
    { name: 'raw_bytes', type: 'UInt64', codec: 'T64, LZ4', about: 'Bytes of the recording as JSON' },
  ],
  indexes: [BY_TIME],
  engine: 'MergeTree',
  partitionBy: 'toMonday(received)',
  ageColumn: 'received',
  orderBy: 'project_id, replay_id, segment, kind',
  settings: `min_bytes_for_wide_part = 67108864, ttl_only_drop_parts = 1, ${DURABLE}, ${ONE_PART_A_WEEK}`,
  console: {
    about: 'Parts of session replays: group by replay_id',
    first: ['timestamp', 'replay_id', 'segment', 'kind', 'urls', 'clicks', 'rage_clicks', 'dead_clicks'],
  },
} as const satisfies Table
