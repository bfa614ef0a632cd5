/** What screens in the browser know of monitors of scheduled jobs. No engine behind it. */
export const CRON_UNITS = ['minute', 'hour', 'day', 'week', 'month', 'year'] as const
export type CronUnit = (typeof CRON_UNITS)[number]

export const CRON_LIMITS = {
  nameChars: 128,
  slugChars: 50,
  scheduleChars: 100,
  /** Minutes: four weeks. */
  marginMinutes: 40_320,
  runtimeMinutes: 40_320,
  threshold: 720,
  /** Of one project. */
  monitors: 200,
  /** Of one monitor. */
  environments: 20,
  /** Runs of an environment that are kept: a day of one a minute. */
  runs: 1_500,
} as const

/** What Sentry's SDKs mean when they leave it out. https://docs.sentry.io/product/crons/ */
export const CRON_DEFAULTS = {
  checkinMargin: 1,
  maxRuntime: 30,
  failureIssueThreshold: 1,
  recoveryThreshold: 1,
  timezone: 'UTC',
} as const
