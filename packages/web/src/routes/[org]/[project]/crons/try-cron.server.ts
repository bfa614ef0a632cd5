/** What a form's schedule comes to, and what is wrong with it, by the code that judges runs. */
import { CRON_CONFIG, scheduleWords } from '@sonde/alerts'
import type { FieldErrors } from '@sonde/commands'
import { cronConfigInput, type CronDraft } from './cron-draft.ts'
import { type UpcomingRun, upcoming } from './upcoming.server.ts'

export type TriedCron = {
  /** By the field of the form. */
  readonly fields: FieldErrors
  /** Undefined: what is typed is no schedule. */
  readonly schedule?: { readonly words: string; readonly zone: string; readonly runs: readonly UpcomingRun[] }
}

const FIELDS: Readonly<Record<string, string>> = { 'schedule.unit': 'unit' }

export function tryCron(draft: CronDraft, nowMs: number): TriedCron {
  const read = CRON_CONFIG.safeParse(cronConfigInput(draft))
  if (!read.success) {
    const fields: Record<string, string[]> = {}
    for (const { path, message } of read.error.issues) {
      const name =
        path[0] === 'schedule'
          ? (FIELDS[path.join('.')] ?? (draft.scheduleType === 'interval' ? 'every' : 'crontab'))
          : String(path[0])
      fields[name] = [...(fields[name] ?? []), message]
    }
    return { fields }
  }
  const { data } = read
  return {
    fields: {},
    schedule: { words: scheduleWords(data), zone: data.timezone, runs: upcoming(data, nowMs) },
  }
}
