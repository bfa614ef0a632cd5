/**
 * What screens in the browser know of the queries: limits, names in addresses, defaults. No SQL and no engine behind it:
 * this entry, `@sonde/queries/contract`, is the only one that browser code may import values from.
 */
export { type SpanNode, spanTree } from './performance/span-tree.ts'

export {
  ASSET_OWNERS,
  ASSET_TYPES,
  type AssetOwner,
  type AssetType,
  INSIGHT_KIND_IDS,
  INSIGHT_KINDS,
  INSIGHT_MEASURES,
  INSIGHT_SPLITS,
  type InsightKind,
  type InsightKindId,
  insightKindOf,
  type InsightMeasure,
  type InsightSplit,
  type InsightValueKind,
} from './insights/insight-kinds.ts'

export {
  isWritten,
  type Metric,
  METRIC_MEASURES,
  METRIC_SOURCES,
  type MetricMeasure,
  type MetricSource,
  type WrittenSource,
} from './alerts/metric.ts'

export {
  type MeasuredMetric,
  measuredText,
  MEASURES_OF_TYPE,
  METRIC_TYPES,
  type MetricRef,
  type MetricType,
  msOfUnit,
  pointMeasure,
  type PointMeasure,
  readMeasured,
  unitOfMeasure,
} from './metrics/metric-measures.ts'

export {
  absentSentences,
  changeFigure,
  measureSentence,
  nextNeeded,
  verdictSentence,
} from './releases/verdict-words.ts'

/** Orders of a list of issues, as addresses say them: last seen, first seen, most events, most users, how soon to look. */
export const ISSUE_SORTS = ['date', 'new', 'freq', 'user', 'priority'] as const
export type IssueSort = (typeof ISSUE_SORTS)[number]
/** What a list of issues is searched for when nobody says anything else. */
export const DEFAULT_QUERY = 'is:unresolved'
/** Matching issues are counted up to here: beyond it a number helps nobody and costs a scan. */
export const MAX_HITS = 1_000

/** Orders of a list of replays: when they began, most errors, longest, most rage and dead clicks, most activity. */
export const REPLAY_SORTS = ['newest', 'errors', 'longest', 'rage', 'activity'] as const
export type ReplaySort = (typeof REPLAY_SORTS)[number]

/** Of one column that a performance screen is narrowed by. */
export const MAX_FILTER_VALUES = 100

/** Fewer on either side of a comparison of vitals, and its interval does not hold what it promises. */
export const MIN_COMPARED_VISITS = 30
export const MIN_COMPARED_PEOPLE = 20
/** Of visits with an error and of all others: the two comparisons of an issue's vitals. */
export const ISSUE_VITAL_SIDES = ['users', 'visits'] as const
export type IssueVitalSide = (typeof ISSUE_VITAL_SIDES)[number]

/**
 * Below this many measured visits a percentile is not rated. With 30 the true 75th percentile lies, 19 times of 20,
 * between the measured 60th and 90th (0.75 ± 1.96 √(0.75 · 0.25 / 30)); with fewer that is hardly a statement.
 */
export const MIN_RATED_VISITS = 30

/** Orders of the list of transactions that the query knows; the list has others besides. */
export const TRANSACTION_SORTS = [
  'name',
  'count',
  'p50',
  'p75',
  'p95',
  'failureRate',
  'users',
  'miserableUsers',
] as const
export type TransactionSort = (typeof TRANSACTION_SORTS)[number]

/** Tabs of which one in a hundred can be told: with fewer, nobody saw the slowest one in a hundred yet. */
export const MIN_KEEP_TABS = 100
