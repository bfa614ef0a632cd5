/** A number of items that ended the same way in one minute; equal keys add up (guarantee G3). */
import { secondText } from '../row-text.ts'
import { DURABLE, type Table } from './table.ts'

const MINUTE_MS = 60_000
const WORD = { type: 'LowCardinality(String)' } as const

export const OUTCOMES = {
  name: 'outcomes',
  columns: [
    { name: 'project_id', type: 'UInt32', about: 'Its number; narrows faster than the name' },
    {
      name: 'minute',
      type: "DateTime('UTC')",
      field: 'atMs',
      write: (atMs: number) => secondText(Math.floor(atMs / MINUTE_MS) * MINUTE_MS),
      about: 'Minute in which it ended (UTC)',
    },
    { name: 'key_id', type: 'UInt32', about: 'Number of the client key' },
    { name: 'category', ...WORD, about: 'error, transaction, span, …' },
    { name: 'outcome', ...WORD, about: 'accepted, filtered, rate_limited, invalid, …' },
    { name: 'reason', ...WORD, about: 'Why' },
    { name: 'quantity', type: 'UInt64', about: 'How many; several rows may have the same minute' },
  ],
  engine: 'SummingMergeTree(quantity)',
  partitionBy: 'toStartOfMonth(minute)',
  ageColumn: 'minute',
  orderBy: 'project_id, minute, key_id, category, outcome, reason',
  settings: `ttl_only_drop_parts = 1, ${DURABLE}`,
  console: {
    about: 'What became of everything that was sent: add up quantity',
    first: ['minute', 'category', 'outcome', 'reason', 'quantity'],
  },
} as const satisfies Table
