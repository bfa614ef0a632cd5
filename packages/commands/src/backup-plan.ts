/** When backups are made, which are kept, and from when on they are too old: of the whole installation, in its settings. */
import type { Grant } from '@sonde/access'
import { isTimeZone } from '@sonde/alerts'
import { type Records, writeTransaction } from '@sonde/stores'
import { z } from 'zod'
import { writeAudit } from './audit.ts'
import type { CommandDeps } from './command-deps.ts'
import { readInput } from './fields.ts'

const SCHEDULES = ['off', 'every-6h', 'every-12h', 'daily', 'weekly'] as const
const VERIFIES = ['never', 'each', 'weekly'] as const
const MAX_KEPT = 1_000
const MAX_WARN_HOURS = 24 * 365

const keptField = z.int('is a whole number').min(0, 'is 0 or more').max(MAX_KEPT, `is at most ${MAX_KEPT}`)

const PLAN = z.object({
  schedule: z.enum(SCHEDULES, 'is off, every-6h, every-12h, daily or weekly'),
  /** By the clock of `zone`; of `daily` and `weekly`. */
  at: z.string().regex(/^(?:[01]\d|2[0-3]):[0-5]\d$/, 'is a time such as 03:00'),
  /** Of `weekly`; 0 is Sunday. */
  weekday: z.int('is a day of the week').min(0, 'is a day of the week').max(6, 'is a day of the week'),
  zone: z.string().max(64).refine(isTimeZone, 'is not a time zone; names are as in Europe/Berlin'),
  /** The newest ones, and the newest of each of so many days, weeks and months. All 0: every backup is kept. */
  keepLast: keptField,
  keepDaily: keptField,
  keepWeekly: keptField,
  keepMonthly: keptField,
  verify: z.enum(VERIFIES, 'is never, each or weekly'),
  /** Null: twice the time between two backups. */
  warnAfterHours: z
    .int('is a whole number of hours')
    .min(1, 'is at least 1 hour')
    .max(MAX_WARN_HOURS, `is at most ${MAX_WARN_HOURS} hours`)
    .nullable(),
})

export type BackupPlanInput = z.output<typeof PLAN>
export type BackupPlan = BackupPlanInput & {
  /** When its times were set, Unix milliseconds: earlier ones are not made up for. */
  readonly sinceMs: number
}

const SETTING = 'backup.plan'

/** The retention is what a page proposes to whoever switches backups on. */
const NO_PLAN: BackupPlan = {
  schedule: 'off',
  at: '03:00',
  weekday: 0,
  zone: 'UTC',
  keepLast: 3,
  keepDaily: 7,
  keepWeekly: 4,
  keepMonthly: 6,
  verify: 'weekly',
  warnAfterHours: null,
  sinceMs: 0,
}

export async function readBackupPlan(records: Records): Promise<BackupPlan> {
  const row = await records
    .selectFrom('setting')
    .select('value')
    .where('name', '=', SETTING)
    .executeTakeFirst()
  return row ? { ...NO_PLAN, ...(JSON.parse(row.value) as Partial<BackupPlan>) } : NO_PLAN
}

/** What is left out stays. Throws `InvalidInput`. */
export async function saveBackupPlan(
  { records, clock }: Pick<CommandDeps, 'records' | 'clock'>,
  grant: Grant<'operate', 'operator'>,
  input: Partial<BackupPlanInput>,
): Promise<BackupPlan> {
  return writeTransaction(records, async (tx) => {
    const before = await readBackupPlan(tx)
    const plan = readInput('change the backup schedule', PLAN, { ...before, ...input })
    const isMoved = timesOf(plan) !== timesOf(before)
    const saved = { ...plan, sinceMs: isMoved ? clock.nowMs() : before.sinceMs }
    const value = JSON.stringify(saved)
    await tx
      .insertInto('setting')
      .values({ name: SETTING, value })
      .onConflict((on) => on.column('name').doUpdateSet({ value }))
      .execute()
    await writeAudit(tx, {
      orgId: null,
      viewer: grant.viewer,
      action: 'backup.schedule',
      subject: plan.schedule,
      detail: plan,
      atMs: clock.nowMs(),
    })
    return saved
  })
}

const timesOf = ({ schedule, at, weekday, zone }: BackupPlanInput): string =>
  JSON.stringify([schedule, at, weekday, zone])

/** That somebody asked for it; how it ended stands in the list of runs. */
export async function noteBackupAsked(
  { records, clock }: Pick<CommandDeps, 'records' | 'clock'>,
  grant: Grant<'operate', 'operator'>,
  kind: 'create' | 'verify' | 'prune',
  subject: string,
): Promise<void> {
  await writeAudit(records, {
    orgId: null,
    viewer: grant.viewer,
    action: `backup.${kind}`,
    subject,
    atMs: clock.nowMs(),
  })
}
