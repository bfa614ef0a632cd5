/** One row for each HTTP check of an uptime monitor: what became of it, and how long each phase took. */
import { DURABLE, type Table } from './table.ts'

const WORD = { type: 'LowCardinality(String)' } as const
const PHASE = { type: 'Float32', codec: 'ZSTD(1)' } as const

export const UPTIME_CHECKS = {
  name: 'uptime_checks',
  columns: [
    { name: 'project_id', type: 'UInt32', about: 'Its number; narrows faster than the name' },
    {
      name: 'received',
      type: "DateTime64(3, 'UTC')",
      codec: 'Delta, ZSTD(1)',
      about: 'When the check was done (UTC); weeks of it are stored apart',
    },
    { name: 'monitor_id', type: 'UInt32', codec: 'ZSTD(1)', about: 'Number of the monitor' },
    // Of the records: names the check, whatever becomes of its row.
    { name: 'check_id', type: 'UInt64', codec: 'Delta, ZSTD(1)' },
    {
      name: 'timestamp',
      type: "DateTime64(3, 'UTC')",
      codec: 'Delta, ZSTD(1)',
      about: 'When the check began (UTC)',
    },
    { name: 'environment', ...WORD, about: 'Of the monitor' },
    { name: 'outcome', ...WORD, about: 'up, or why not: timeout, tls, status, body, …' },
    { name: 'is_up', type: 'UInt8', about: '1: everything was as expected' },
    { name: 'status', type: 'UInt32', codec: 'ZSTD(1)', about: 'Status of the answer; 0: there was none' },
    { name: 'reason', type: 'String', codec: 'ZSTD(1)', about: 'What was wrong, in a sentence' },
    { name: 'address', ...WORD, about: 'The IP address that was asked' },
    { name: 'dns_ms', ...PHASE, about: 'Looking up the name' },
    { name: 'connect_ms', ...PHASE, about: 'Opening the connection' },
    { name: 'tls_ms', ...PHASE, about: 'The TLS handshake' },
    { name: 'first_byte_ms', ...PHASE, about: 'From the request to the first byte of the answer' },
    { name: 'download_ms', ...PHASE, about: 'From there to the last byte that was read' },
    { name: 'total_ms', ...PHASE, about: 'All of it, redirects included' },
    { name: 'bytes', type: 'UInt32', codec: 'ZSTD(1)', about: 'Bytes of the body that were read' },
    { name: 'redirects', type: 'UInt32', codec: 'ZSTD(1)', about: 'How many were followed' },
    {
      name: 'certificate_until',
      type: "DateTime64(3, 'UTC')",
      codec: 'ZSTD(1)',
      about: 'Until when the certificate is valid (UTC); 1970: there was none',
    },
  ],
  engine: 'MergeTree',
  partitionBy: 'toMonday(received)',
  ageColumn: 'received',
  orderBy: 'project_id, monitor_id, timestamp',
  settings: `ttl_only_drop_parts = 1, ${DURABLE}`,
  console: {
    about: 'HTTP checks of uptime monitors',
    first: ['timestamp', 'monitor_id', 'outcome', 'status', 'total_ms'],
  },
} as const satisfies Table
