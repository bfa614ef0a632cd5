/** What the form of a monitor does: shows what its schedule comes to, or stores it. */
import { createCron, cronSlug, type FieldErrors, InvalidInput, updateCron } from '@sonde/commands'
import { type ActionArgs, invalid, redirect } from '@sonde/router/server'
import { orEndPage, projectGrant } from '../../../../parts/access/page-grant.server.ts'
import { fieldsOf } from '../../../../parts/forms/posted-fields.ts'
import { paths } from '../../../../paths.ts'
import type { AppContext } from '../../../../server/app-context.server.ts'
import { type CronDraft, cronInput, postedCron } from './cron-draft.ts'
import { type TriedCron, tryCron } from './try-cron.server.ts'

export type AnsweredCron = {
  readonly form: 'cron'
  readonly draft: CronDraft
  readonly fields: FieldErrors
  readonly tried: TriedCron
}

type Stored = { readonly id: number; readonly isEnabled: boolean; readonly isMuted: boolean }

export async function saveCron(args: ActionArgs<AppContext, 'org' | 'project'>, stored: Stored | undefined) {
  const { commands, clock } = args.context
  const grant = await projectGrant(args, 'alert:write')
  const posted = fieldsOf(await args.formData())
  const draft = postedCron(posted)
  const tried = tryCron(draft, clock.nowMs())
  const answer = { form: 'cron' as const, draft, tried }
  if (posted.text('does') === 'try')
    return invalid({ ...answer, fields: tried.fields } satisfies AnsweredCron)
  const input = cronInput(draft, cronSlug)
  const { orgSlug, projectSlug } = grant
  try {
    if (stored) {
      const { id, isEnabled, isMuted } = stored
      await orEndPage(updateCron(commands, grant, id, { ...input, isEnabled, isMuted }))
      return redirect(`${paths.cron(orgSlug, projectSlug, id)}?saved=cron-saved`, 303)
    }
    const { id } = await createCron(commands, grant, input)
    return redirect(`${paths.cron(orgSlug, projectSlug, id)}?saved=cron-made`, 303)
  } catch (error) {
    if (!(error instanceof InvalidInput)) throw error
    // The command tells of the schedule as a whole.
    const others = Object.entries(error.fields).filter(([field]) => field.split('.')[0] !== 'config')
    const fields = { ...Object.fromEntries(others), ...tried.fields }
    return invalid({ ...answer, fields } satisfies AnsweredCron)
  }
}
