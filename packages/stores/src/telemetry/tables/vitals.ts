/**
 * Web vitals. A page reports a vital several times: with its load, and again when it is left. `version` says which
 * counts; reading with FINAL leaves that one. The route is no part of the key: it may be known only later.
 */
import { VITAL_NAMES, VITAL_THRESHOLDS } from '@sonde/protocol/web-vitals'
import { attributeColumns } from './column.ts'
import { BY_TIME, BY_TRACE, FILTERS, QUICK_ORIGIN, QUICK_TIME, VERSION } from './shared-columns.ts'
import { DURABLE, ONE_PART_A_WEEK, type Table } from './table.ts'

/** How many a sampled row stands for, as the whole number that weighted quantiles take. */
export const ROW_WEIGHT = 'toUInt32(round(1 / sample_rate))'

const visitsWhere = (compare: '<=' | '>', at: 0 | 1): string => {
  const names = VITAL_NAMES.map((name) => `'${name}'`).join(', ')
  const limits = VITAL_NAMES.map((name) => VITAL_THRESHOLDS[name][at]).join(', ')
  return `sumIf(1 / sample_rate, value ${compare} transform(name, [${names}], [${limits}], 0.))`
}

/**
 * Sums of vitals, by name: what the projection below holds, and what a query must ask for letter for letter, or the
 * engine would not take it from there.
 */
export const VITAL_SUMS = {
  levels: `quantileBFloat16WeightedState(0.75)(value, ${ROW_WEIGHT})`,
  sampled: 'count()',
  visits: 'sum(1 / sample_rate)',
  first: 'min(timestamp)',
  goodVisits: visitsWhere('<=', 0),
  poorVisits: visitsWhere('>', 1),
} as const

const WEEK = 'project_id, name, route, environment, toMonday(received), toMonday(timestamp)'

export const VITALS = {
  name: 'vitals',
  columns: [
    ...QUICK_ORIGIN,
    { name: 'name', type: 'LowCardinality(String)', about: 'lcp, inp, cls, fcp, ttfb' },
    { name: 'route', type: 'LowCardinality(String)', about: 'Route template' },
    {
      // Of several values of one vital the last final one counts.
      name: 'page_id',
      type: 'String',
      codec: 'ZSTD(1)',
      about: 'One page load or soft navigation',
    },
    { name: 'timestamp', ...QUICK_TIME, about: 'When it was measured (UTC)' },
    { name: 'value', type: 'Float64', codec: 'ZSTD(1)', about: 'Milliseconds; cls has no unit' },
    { name: 'is_final', type: 'UInt8', codec: 'ZSTD(1)', about: '1: the page had ended' },
    { name: 'trace_id', type: 'FixedString(32)', codec: 'ZSTD(1)', about: '32 hex digits' },
    { name: 'span_id', type: 'FixedString(16)', codec: 'ZSTD(1)', about: '16 hex digits' },
    { name: 'element', type: 'String', codec: 'ZSTD(1)', about: 'Element that decided it' },
    { name: 'source', type: 'String', codec: 'ZSTD(1)', about: 'Its address' },
    ...FILTERS,
    ...attributeColumns('attribution'),
    VERSION,
  ],
  indexes: [BY_TIME, BY_TRACE],
  // A week's vitals by route and environment: a projection, so that it is a part of the part. It comes, moves and goes
  // with its rows: inserts, kills, deletions and age need no second thought. A merge, which drops what was replaced,
  // sums up again (`rebuild`): of a week that is one part every value counts once.
  projections: [`by_week (SELECT ${WEEK}, ${Object.values(VITAL_SUMS).join(', ')} GROUP BY ${WEEK})`],
  engine: 'ReplacingMergeTree(version)',
  partitionBy: 'toMonday(received)',
  ageColumn: 'received',
  orderBy: 'project_id, name, page_id',
  settings: `min_bytes_for_wide_part = 67108864, ttl_only_drop_parts = 1, ${DURABLE}, ${ONE_PART_A_WEEK},
  deduplicate_merge_projection_mode = 'rebuild', lightweight_mutation_projection_mode = 'rebuild'`,
  console: {
    about: 'Web vitals, one row a page and vital',
    first: ['timestamp', 'name', 'value', 'route', 'page_id', 'element', 'source', 'is_final'],
  },
} as const satisfies Table
