/** What an issue is about, by the type of its events. The one list of both: a new kind of issue is an entry here. */

/** Found by detectors in the spans of a transaction. Sentry's names: https://docs.sentry.io/product/issues/issue-details/performance-issues/ */
export const PERFORMANCE_TYPES = [
  'performance_n_plus_one_db_queries',
  'performance_n_plus_one_api_calls',
  'performance_slow_db_query',
  'performance_large_http_payload',
  'performance_render_blocking_asset_span',
  'performance_consecutive_db_queries',
  'performance_consecutive_http',
  'performance_uncompressed_assets',
  // These are ours.
  'performance_slow_page_data',
  'performance_hung_navigation',
  'performance_long_animation_frame',
  'performance_layout_thrashing',
] as const
export type PerformanceType = (typeof PERFORMANCE_TYPES)[number]

export const ISSUE_CATEGORIES = ['error', 'performance', 'feedback', 'cron', 'uptime'] as const
export type IssueCategory = (typeof ISSUE_CATEGORIES)[number]

/** Types of issues that are no errors. */
export const TYPES_OF_CATEGORY: {
  readonly [Category in Exclude<IssueCategory, 'error'>]: readonly string[]
} = {
  performance: PERFORMANCE_TYPES,
  feedback: ['feedback'],
  cron: ['monitor_check_in_failure'],
  uptime: ['uptime_domain_failure'],
}

/** Every type that is not listed is an error's. */
export const categoryOf = (type: string): IssueCategory =>
  ISSUE_CATEGORIES.find((category) => category !== 'error' && TYPES_OF_CATEGORY[category].includes(type)) ??
  'error'
