/** What the form of a monitor does: checks once, or stores. */
import type { UptimeCheck } from '@sonde/alerts'
import { createMonitor, type FieldErrors, InvalidInput, tryMonitor, updateMonitor } from '@sonde/commands'
import { type ActionArgs, invalid, redirect } from '@sonde/router/server'
import { orEndPage, projectGrant } from '../../../../parts/access/page-grant.server.ts'
import { fieldsOf } from '../../../../parts/forms/posted-fields.ts'
import { paths } from '../../../../paths.ts'
import type { AppContext } from '../../../../server/app-context.server.ts'
import { type MonitorDraft, monitorInput, postedMonitor, withoutSecrets } from './monitor-draft.ts'

export type AnsweredMonitor = {
  readonly form: 'monitor'
  readonly draft: MonitorDraft
  readonly fields: FieldErrors
  /** What a check came to. */
  readonly check?: UptimeCheck
}

export async function saveMonitor(
  args: ActionArgs<AppContext, 'org' | 'project'>,
  monitorId: number | undefined,
) {
  const { commands } = args.context
  const grant = await projectGrant(args, 'alert:write')
  const posted = fieldsOf(await args.formData())
  const draft = postedMonitor(posted)
  const monitor = monitorInput(draft)
  const shown = { form: 'monitor' as const, draft: withoutSecrets(draft) }
  try {
    if (posted.text('does') === 'try') {
      const check = await orEndPage(tryMonitor(commands, grant, monitor, monitorId))
      return invalid({ ...shown, fields: {}, check } satisfies AnsweredMonitor)
    }
    const { name } = draft
    if (monitorId !== undefined) {
      await orEndPage(updateMonitor(commands, grant, monitorId, { name, monitor }))
      return redirect(
        `${paths.uptimeMonitor(grant.orgSlug, grant.projectSlug, monitorId)}?saved=uptime-saved`,
        303,
      )
    }
    const { id } = await createMonitor(commands, grant, { name, monitor })
    return redirect(`${paths.uptimeMonitor(grant.orgSlug, grant.projectSlug, id)}?saved=uptime-made`, 303)
  } catch (error) {
    if (!(error instanceof InvalidInput)) throw error
    return invalid({ ...shown, fields: error.fields } satisfies AnsweredMonitor)
  }
}
