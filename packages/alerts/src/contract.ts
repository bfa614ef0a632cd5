/**
 * What screens in the browser know of alerts: kinds, limits, defaults. No engine behind it: this entry,
 * `@sonde/alerts/contract`, is the only one that browser code may import values from.
 */

/** What can be about an issue: the first three happen at a moment, the others are counted over a time. */
export const ISSUE_TRIGGERS = ['new', 'regressed', 'reopened', 'events', 'users'] as const
export type IssueTriggerType = (typeof ISSUE_TRIGGERS)[number]

export const RULE_LIMITS = {
  nameChars: 100,
  searchChars: 4_096,
  triggers: 10,
  actions: 20,
  /** Of one project. */
  rules: 500,
  /** Of one organization. */
  channels: 200,
  coolDownMinutes: 7 * 24 * 60,
  windowMinutes: 7 * 24 * 60,
} as const

/** One issue is not told again within this time, whatever it does. */
export const DEFAULT_COOL_DOWN_MINUTES = 30
