/** What an alert can watch: a source of rows, what is computed of them, and which of them count. */
import { VITAL_NAMES } from '@sonde/protocol/web-vitals'

export const METRIC_SOURCES = [
  'errors',
  'spans',
  'vitals',
  'navigations',
  'page_data',
  'chunks',
  'prefetches',
  'sessions',
  'logs',
  'profile_functions',
  'outcomes',
  'metrics',
] as const
export type MetricSource = (typeof METRIC_SOURCES)[number]

export type Metric = {
  readonly source: MetricSource
  /**
   * One of `METRIC_MEASURES`; of `spans` any measure of Explore: `p95(span.duration)`; of `metrics` a metric with its measure as
   * `measuredText` writes it: `p95(http.server.request.duration,histogram,s)`.
   */
  readonly measure: string
  /** Of `errors` a search over events, of `spans`, `logs` and `metrics` one over those, of the others `FIELD:VALUE` of their columns. */
  readonly search: string
}

/** How its values are shown. */
type MetricKind = 'integer' | 'number' | 'duration' | 'percentage'

export type MetricMeasure = {
  readonly measure: string
  readonly kind: MetricKind
  /** For people: what it counts. */
  readonly label: string
  /** Which way is worse. */
  readonly worse: 'above' | 'below'
}

const worseAbove = (measure: string, kind: MetricKind, label: string): MetricMeasure => ({
  measure,
  kind,
  label,
  worse: 'above',
})

/** Sources whose measures are written, not chosen from a list. */
export type WrittenSource = 'spans' | 'metrics'
export const isWritten = (source: MetricSource): source is WrittenSource =>
  source === 'spans' || source === 'metrics'

/** Of every source but `spans`, which knows those of Explore, and `metrics`, which are as senders name them. */
export const METRIC_MEASURES: Readonly<
  Record<Exclude<MetricSource, WrittenSource>, readonly MetricMeasure[]>
> = {
  errors: [
    worseAbove('count()', 'integer', 'Error events'),
    worseAbove('count_unique(user)', 'integer', 'Users with an error'),
    worseAbove('chunk_failures()', 'integer', 'Errors because code could not be loaded'),
  ],
  vitals: VITAL_NAMES.map((name) =>
    worseAbove(`p75(${name})`, name === 'cls' ? 'number' : 'duration', `${name.toUpperCase()} p75`),
  ),
  navigations: [
    { measure: 'count()', kind: 'integer', label: 'Navigations', worse: 'below' },
    worseAbove('failed()', 'integer', 'Failed navigations'),
    worseAbove('hung()', 'integer', 'Hung navigations'),
    worseAbove('failure_rate()', 'percentage', 'Share of navigations that failed, hung or were left'),
    worseAbove('p75(visible_after)', 'duration', 'Time until the page is visible, p75'),
  ],
  page_data: [
    worseAbove('failures()', 'integer', 'Failed page data requests'),
    worseAbove('seen()', 'integer', 'Failed page data requests that a person saw'),
    worseAbove('count_unique(user)', 'integer', 'Users with failed page data'),
  ],
  chunks: [
    worseAbove('failures()', 'integer', 'Files of code that could not be loaded'),
    worseAbove('old_build()', 'integer', 'Files that failed in tabs older than the last deployment'),
    worseAbove('tabs()', 'integer', 'Tabs that could not load code'),
  ],
  prefetches: [
    worseAbove('issued()', 'integer', 'Prefetches'),
    worseAbove('per_minute()', 'number', 'Prefetches per minute'),
    worseAbove('wasted_share()', 'percentage', 'Share of prefetches that nobody used'),
    worseAbove('server_requests()', 'integer', 'Requests to servers that were prefetches'),
    worseAbove('server_share()', 'percentage', 'Share of server requests that were prefetches'),
  ],
  sessions: [
    {
      measure: 'crash_free_rate(session)',
      kind: 'percentage',
      label: 'Crash-free sessions',
      worse: 'below',
    },
    { measure: 'crash_free_rate(user)', kind: 'percentage', label: 'Crash-free users', worse: 'below' },
    { measure: 'sum(session)', kind: 'integer', label: 'Sessions', worse: 'below' },
    worseAbove('crashed()', 'integer', 'Sessions that crashed'),
  ],
  logs: [worseAbove('count()', 'integer', 'Log lines')],
  profile_functions: [
    worseAbove('p75(function.self_time)', 'duration', 'Self time of functions, p75 of profiles'),
    worseAbove('p95(function.self_time)', 'duration', 'Self time of functions, p95 of profiles'),
    worseAbove('sum(function.self_time)', 'duration', 'Self time of functions, sum of profiles'),
  ],
  outcomes: [
    worseAbove('dropped(error)', 'integer', 'Error events that were not stored'),
    worseAbove('dropped(span)', 'integer', 'Spans that were not stored'),
  ],
}
