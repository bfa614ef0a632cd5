import { errorKind } from '@sonde/base'
import { type BackupPlanInput, InvalidInput } from '@sonde/commands'
import { type ActionArgs, httpError, invalid, type LoadArgs, redirect } from '@sonde/router/server'
import { operatorGrant } from '../../../parts/access/page-grant.server.ts'
import { fieldsOf, type PostedFields, type RefusedForm } from '../../../parts/forms/posted-fields.ts'
import type { SavedForm } from '../../../parts/forms/saved-notice.tsx'
import { paths } from '../../../paths.ts'
import type { AppContext } from '../../../server/app-context.server.ts'

export async function load(args: LoadArgs<AppContext>) {
  const grant = operatorGrant(args)
  return { backups: await args.context.operator.backups?.look(grant) }
}

const SAVED = {
  create: 'backup-started',
  verify: 'backup-verifying',
  prune: 'backup-pruning',
  schedule: 'backup-schedule',
  retention: 'backup-retention',
} as const satisfies Readonly<Record<string, SavedForm>>

const isForm = (text: string): text is keyof typeof SAVED => Object.hasOwn(SAVED, text)
const MAX_ID_CHARS = 100

export async function action(args: ActionArgs<AppContext>) {
  const grant = operatorGrant(args)
  const { backups } = args.context.operator
  const posted = fieldsOf(await args.formData())
  const form = posted.text('form')
  const id = posted.text('id')
  if (!isForm(form) || id.length > MAX_ID_CHARS || (form === 'verify' && id === '')) return httpError(400)
  if (!backups) return httpError(409)
  try {
    if (form === 'schedule') await backups.save(grant, scheduleOf(posted))
    else if (form === 'retention') await backups.save(grant, retentionOf(posted))
    else await backups.start(grant, form === 'verify' ? { kind: form, id } : { kind: form })
  } catch (error) {
    if (error instanceof InvalidInput) {
      const refused: RefusedForm = { form, fields: error.fields }
      return invalid(refused)
    }
    if (errorKind(error) === 'conflict') return redirect(`${paths.backups()}?saved=backup-busy`, 303)
    throw error
  }
  return redirect(`${paths.backups()}?saved=${SAVED[form]}`, 303)
}

/** What is none of the choices is refused by the command. */
const scheduleOf = (posted: PostedFields): Partial<BackupPlanInput> => ({
  schedule: posted.text('schedule') as BackupPlanInput['schedule'],
  at: posted.text('at'),
  weekday: posted.number('weekday'),
  zone: posted.text('zone'),
  verify: posted.text('verify') as BackupPlanInput['verify'],
  warnAfterHours: posted.text('warnAfterHours') === '' ? null : posted.number('warnAfterHours'),
})

const retentionOf = (posted: PostedFields): Partial<BackupPlanInput> => ({
  keepLast: posted.number('keepLast'),
  keepDaily: posted.number('keepDaily'),
  keepWeekly: posted.number('keepWeekly'),
  keepMonthly: posted.number('keepMonthly'),
})
