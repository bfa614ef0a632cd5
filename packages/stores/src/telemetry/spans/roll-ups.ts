/**
 * What of vitals is summed up ahead, and how times are stored so that reading them is cheap. Figures:
 * docs/internals/telemetry-schema.md.
 */

/**
 * Times lie among rows that are sorted by other things, so their differences are as random as they are: only the bits
 * that a week needs are kept (T64), which is a quarter smaller than ZSTD of the differences and three times as fast to
 * read. Parts take it over as they are merged.
 */
export const QUICK_TIMES: readonly string[] = ['vitals', 'navigations', 'prefetches'].flatMap((table) =>
  ['timestamp', 'received'].map(
    (column) => `ALTER TABLE ${table} MODIFY COLUMN ${column} DateTime64(3, 'UTC') CODEC(T64, LZ4)`,
  ),
)

/**
 * A week's vitals by route and environment: a projection, so that it is a part of the part. It comes, moves and goes
 * with its rows: inserts, kills, deletions and age need no second thought, and parts from before are summed up in the
 * background. A merge, which drops what was replaced, sums up again (`rebuild`): of a week that is one part every value
 * counts once. The columns are what `vital-sums.ts` of the queries asks for, letter for letter, or they would not be found.
 */
export const VITAL_WEEKS: readonly string[] = [
  `ALTER TABLE vitals MODIFY SETTING deduplicate_merge_projection_mode = 'rebuild',
    lightweight_mutation_projection_mode = 'rebuild'`,
  `ALTER TABLE vitals ADD PROJECTION IF NOT EXISTS by_week (
  SELECT project_id, name, route, environment, toMonday(received), toMonday(timestamp),
    quantileBFloat16WeightedState(0.75)(value, toUInt32(round(1 / sample_rate))),
    count(), sum(1 / sample_rate), min(timestamp),
    sumIf(1 / sample_rate, value <= transform(name, ['lcp', 'inp', 'cls', 'fcp', 'ttfb'], [2500, 200, 0.1, 1800, 800], 0.)),
    sumIf(1 / sample_rate, value > transform(name, ['lcp', 'inp', 'cls', 'fcp', 'ttfb'], [4000, 500, 0.25, 3000, 1800], 0.))
  GROUP BY project_id, name, route, environment, toMonday(received), toMonday(timestamp)
)`,
  'ALTER TABLE vitals MATERIALIZE PROJECTION by_week SETTINGS mutations_sync = 0',
]
