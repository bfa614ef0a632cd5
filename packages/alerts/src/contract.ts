/**
 * What screens in the browser know of alerts: kinds, limits, defaults. No engine behind it: this entry,
 * `@sonde/alerts/contract`, is the only one that browser code may import values from.
 */

/** What happens to an issue at a moment. The last two: its first event in a release or environment that it was not seen in. */
export const CHANGE_TRIGGERS = [
  'new',
  'regressed',
  'reopened',
  'first_seen_in_release',
  'first_seen_in_environment',
] as const
export type ChangeTriggerType = (typeof CHANGE_TRIGGERS)[number]
/** What is counted over a time. */
export const COUNT_TRIGGERS = ['events', 'users', 'escalating'] as const
export const ISSUE_TRIGGERS = [...CHANGE_TRIGGERS, ...COUNT_TRIGGERS] as const
export type IssueTriggerType = (typeof ISSUE_TRIGGERS)[number]

export const RULE_LIMITS = {
  nameChars: 100,
  searchChars: 4_096,
  environmentChars: 64,
  triggers: 10,
  actions: 20,
  assignees: 50,
  /** Of one project. */
  rules: 500,
  /** Of one organization. */
  channels: 200,
  coolDownMinutes: 30 * 24 * 60,
  windowMinutes: 7 * 24 * 60,
} as const

/** Who is told of an issue that nobody owns. `active`: who used Sonde within 30 days. */
export const WITHOUT_OWNERS = ['members', 'active', 'nobody'] as const
export type WithoutOwners = (typeof WITHOUT_OWNERS)[number]

/** How a metric is judged: against a number, against the same window a week before, or against what is usual at this hour. */
export const METRIC_COMPARISONS = ['static', 'change', 'anomaly'] as const
export const METRIC_DIRECTIONS = ['above', 'below'] as const
export const METRIC_WINDOWS = [1, 5, 10, 15, 30, 60, 120, 240, 1_440] as const
/** How many median deviations from the usual are an anomaly. */
export const ANOMALY_SENSITIVITIES = { low: 6, medium: 4.5, high: 3 } as const
export type AnomalySensitivity = keyof typeof ANOMALY_SENSITIVITIES

/** When a release begins to be judged: with its first event, or with its first deploy. */
export const RELEASE_BEGINNINGS = ['first_event', 'deploy'] as const
export const DEFAULT_JUDGED_AFTER_MINUTES = 60
/** What a release can be judged. */
export const JUDGED = ['worse', 'not_enough_data', 'same', 'better'] as const

/** One issue is not told again within this time, whatever it does. */
export const DEFAULT_COOL_DOWN_MINUTES = 30

export * from './crons/cron-words.ts'
export * from './status/status-words.ts'
export * from './uptime/uptime-words.ts'
export { measureText, metricKind, valueText } from './windows/value-text.ts'
