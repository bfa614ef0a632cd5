/** What is expected of a scheduled job, as it is stored, as people send it, and as SDKs do. */
import { z } from 'zod'
import { isTimeZone } from '../time-zone.ts'
import { CRON_DEFAULTS, CRON_LIMITS, CRON_UNITS } from './cron-words.ts'
import { isCrontab } from './schedule.ts'

const count = (min: number, max: number) =>
  z.int('is a whole number').min(min, `is at least ${min}`).max(max, `is at most ${max}`)

const schedule = z.discriminatedUnion('type', [
  z.object({
    type: z.literal('crontab'),
    value: z
      .string()
      .trim()
      .max(CRON_LIMITS.scheduleChars, `has at most ${CRON_LIMITS.scheduleChars} characters`)
      .refine(isCrontab, 'is a crontab of five fields that comes to a date, such as 30 2 * * *'),
  }),
  z.object({ type: z.literal('interval'), value: count(1, 10_000), unit: z.enum(CRON_UNITS) }),
])

export const CRON_CONFIG = z.object({
  schedule,
  timezone: z
    .string()
    .max(64)
    .refine(isTimeZone, 'is not a time zone, such as Europe/Berlin')
    .default(CRON_DEFAULTS.timezone),
  /** Minutes after the expected time until it is missed. */
  checkinMargin: count(0, CRON_LIMITS.marginMinutes).default(CRON_DEFAULTS.checkinMargin),
  /** Minutes until a run that goes on takes too long. */
  maxRuntime: count(1, CRON_LIMITS.runtimeMinutes).default(CRON_DEFAULTS.maxRuntime),
  failureIssueThreshold: count(1, CRON_LIMITS.threshold).default(CRON_DEFAULTS.failureIssueThreshold),
  recoveryThreshold: count(1, CRON_LIMITS.threshold).default(CRON_DEFAULTS.recoveryThreshold),
})
export type CronConfig = z.output<typeof CRON_CONFIG>
export type CronConfigInput = z.input<typeof CRON_CONFIG>

export const readCronConfig = (text: string): CronConfig => CRON_CONFIG.parse(JSON.parse(text))

const optional = z
  .number()
  .nullish()
  .transform((value) => value ?? undefined)
const SENT = z.object({
  schedule: z.unknown(),
  timezone: z.string().nullish(),
  checkin_margin: optional,
  max_runtime: optional,
  failure_issue_threshold: optional,
  recovery_threshold: optional,
  owner: z.string().max(64).nullish(),
})

/**
 * `monitor_config` of a check-in; undefined: it cannot be read, and the check-in counts without it.
 * https://develop.sentry.dev/sdk/telemetry/check-ins/
 */
export function readSentConfig(
  text: string,
): { readonly config: CronConfig; readonly owner: string | undefined } | undefined {
  if (text === '') return undefined
  let given: unknown
  try {
    given = JSON.parse(text)
  } catch {
    return undefined
  }
  const sent = SENT.safeParse(given)
  if (!sent.success) return undefined
  const { data } = sent
  const read = CRON_CONFIG.safeParse({
    schedule: data.schedule,
    timezone: data.timezone ?? undefined,
    checkinMargin: data.checkin_margin,
    maxRuntime: data.max_runtime,
    failureIssueThreshold: data.failure_issue_threshold,
    recoveryThreshold: data.recovery_threshold,
  })
  return read.success ? { config: read.data, owner: data.owner ?? undefined } : undefined
}
