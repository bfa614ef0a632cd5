/** `sonde backup schedule`: when the running Sonde backs up, which backups it keeps, and from when on it warns. */
import { type CommandInput, note, print, table, UsageError } from '@sonde/cli'
import type { BackupPlan, BackupPlanInput } from '@sonde/commands'
import { BACKUP_PLAN_PATH, type BackupPlanAnswer } from '../back/answer-backup-plan.ts'
import { readConfig } from '../config/config.ts'
import { askBack } from '../internal/ask-back.ts'

export async function run(input: CommandInput): Promise<number> {
  const change = readChange(input)
  const { paths } = readConfig()
  const answer =
    Object.keys(change).length === 0
      ? await askBack(paths.internalSocket, 'GET', BACKUP_PLAN_PATH)
      : await askBack(paths.internalSocket, 'POST', BACKUP_PLAN_PATH, { body: JSON.stringify(change) })
  if (answer === undefined) {
    note('sonde: no Sonde of this data folder runs here: start it, and set its schedule then')
    return 1
  }
  print(input.flag('json') ? answer : planText(JSON.parse(answer) as BackupPlanAnswer))
  return 0
}

const DAYS = ['sunday', 'monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday'] as const

/** What it does not name stays as it is. What is wrong with a value the running Sonde says. */
function readChange({ text, flag }: CommandInput): Partial<BackupPlanInput> {
  const [every, daily, weekly] = [text('every'), text('daily'), text('weekly')]
  if ([every, daily, weekly, flag('off') || undefined].filter((each) => each !== undefined).length > 1)
    throw new UsageError('give one of --every, --daily, --weekly and --off')
  const [day, weeklyAt] = weekly?.split(' ') ?? []
  const weekday = DAYS.findIndex((each) => each === day?.toLowerCase())
  if (weekly !== undefined && (weekday < 0 || weeklyAt === undefined))
    throw new UsageError('--weekly takes a day and a time, as in --weekly "sunday 03:00"')
  if (every !== undefined && every !== '6h' && every !== '12h')
    throw new UsageError('--every takes 6h or 12h')
  const warn = text('warn-after')
  const zone = text('zone')
  const verify = text('verify')
  return {
    ...(flag('off') && { schedule: 'off' }),
    ...(every !== undefined && { schedule: every === '6h' ? 'every-6h' : 'every-12h' }),
    ...(daily !== undefined && { schedule: 'daily', at: daily }),
    ...(weekly !== undefined && { schedule: 'weekly', weekday, at: weeklyAt ?? '' }),
    ...(zone !== undefined && { zone }),
    ...(verify !== undefined && { verify: verify as BackupPlanInput['verify'] }),
    ...(warn !== undefined && {
      warnAfterHours: warn === 'default' ? null : wholeNumber('warn-after', warn),
    }),
    ...kept('keepLast', 'keep-last', text),
    ...kept('keepDaily', 'keep-daily', text),
    ...kept('keepWeekly', 'keep-weekly', text),
    ...kept('keepMonthly', 'keep-monthly', text),
  }
}

function kept(
  field: keyof BackupPlanInput,
  option: string,
  text: CommandInput['text'],
): Partial<BackupPlanInput> {
  const given = text(option)
  return given === undefined ? {} : { [field]: wholeNumber(option, given) }
}

function wholeNumber(option: string, text: string): number {
  if (!/^\d{1,6}$/.test(text)) throw new UsageError(`--${option} takes a whole number`)
  return Number(text)
}

function planText({ plan, nextMs, detail }: BackupPlanAnswer): string {
  const next = nextMs === undefined ? '' : `, next ${new Date(nextMs).toISOString()}`
  const { keepLast, keepDaily, keepWeekly, keepMonthly } = plan
  const isAll = keepLast + keepDaily + keepWeekly + keepMonthly === 0
  return table([
    ['Schedule', `${scheduleText(plan)}${next}`],
    [
      'Keep',
      isAll
        ? 'every backup'
        : `the last ${keepLast}, one of each of ${keepDaily} days, ${keepWeekly} weeks, ${keepMonthly} months`,
    ],
    ['Verify', { never: 'never', each: 'after every backup', weekly: 'once a week' }[plan.verify]],
    [
      'Warn after',
      plan.warnAfterHours === null ? 'twice the time between two backups' : `${plan.warnAfterHours} h`,
    ],
    ['State', detail],
  ])
}

function scheduleText({ schedule, at, weekday, zone }: BackupPlan): string {
  if (schedule === 'daily') return `every day at ${at} ${zone}`
  if (schedule === 'weekly') return `every ${DAYS[weekday]} at ${at} ${zone}`
  return { off: 'off', 'every-6h': 'every 6 hours', 'every-12h': 'every 12 hours' }[schedule]
}
