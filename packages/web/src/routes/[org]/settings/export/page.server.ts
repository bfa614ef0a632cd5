/** Exports of an organization: for its owners. */
import { mayAlso, requireAlso } from '@sonde/access'
import { errorKind } from '@sonde/base'
import {
  cancelExport,
  type ExportPlanInput,
  InvalidInput,
  readExportPlan,
  requestExport,
  saveExportPlan,
} from '@sonde/commands'
import { listExports } from '@sonde/queries'
import { type ActionArgs, httpError, invalid, type LoadArgs, redirect } from '@sonde/router/server'
import { orgGrant } from '../../../../parts/access/page-grant.server.ts'
import { fieldsOf, type PostedFields, type RefusedForm } from '../../../../parts/forms/posted-fields.ts'
import type { SavedForm } from '../../../../parts/forms/saved-notice.tsx'
import { paths } from '../../../../paths.ts'
import type { AppContext } from '../../../../server/app-context.server.ts'

export async function load(args: LoadArgs<AppContext, 'org'>) {
  const grant = await orgGrant(args, 'org:read')
  const { orgName } = grant
  // The link is on every page of the settings: who follows it is told whom to ask.
  if (!mayAlso(grant, 'org:write')) return { orgName, data: undefined }
  const { queries, commands } = args.context
  const [plan, runs] = await Promise.all([
    readExportPlan(queries.records, grant.orgId),
    listExports(queries, requireAlso(grant, 'org:write')),
  ])
  return { orgName, data: { plan, runs, hasPlace: commands.hasExportPlace === true } }
}

const SAVED = {
  start: 'export-started',
  cancel: 'export-cancelled',
  schedule: 'export-schedule',
} as const satisfies Readonly<Record<string, SavedForm>>
const isForm = (text: string): text is keyof typeof SAVED => Object.hasOwn(SAVED, text)

export async function action(args: ActionArgs<AppContext, 'org'>) {
  const grant = await orgGrant(args, 'org:write')
  const { commands } = args.context
  const posted = fieldsOf(await args.formData())
  const form = posted.text('form')
  if (!isForm(form)) return httpError(400)
  const page = paths.orgExport(grant.orgSlug)
  try {
    if (form === 'start') await requestExport(commands, grant)
    else if (form === 'cancel') await cancelExport(commands, grant, posted.number('id') ?? 0)
    else await saveExportPlan(commands, grant, planOf(posted))
  } catch (error) {
    if (error instanceof InvalidInput) {
      const refused: RefusedForm = { form, fields: error.fields }
      return invalid(refused)
    }
    if (errorKind(error) === 'not-found') return httpError(404)
    if (errorKind(error) === 'conflict') return redirect(`${page}?saved=export-busy`, 303)
    throw error
  }
  return redirect(`${page}?saved=${SAVED[form]}`, 303)
}

/** What is none of the choices is refused by the command. */
const planOf = (posted: PostedFields): Partial<ExportPlanInput> => ({
  schedule: posted.text('schedule') as ExportPlanInput['schedule'],
  at: posted.text('at'),
  weekday: posted.number('weekday'),
  zone: posted.text('zone'),
  keep: posted.number('keep'),
})
