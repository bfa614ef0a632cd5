import {
  acknowledgeIncident,
  InvalidInput,
  noteIncident,
  resolveIncident,
  retryIncidentNotification,
} from '@sonde/commands'
import { type ActionArgs, httpError, invalid, type LoadArgs, redirect } from '@sonde/router/server'
import { orEndPage, projectGrant } from '../../../../../../parts/access/page-grant.server.ts'
import { fieldsOf } from '../../../../../../parts/forms/posted-fields.ts'
import type { SavedForm } from '../../../../../../parts/forms/saved-notice.tsx'
import { paths } from '../../../../../../paths.ts'
import type { AppContext } from '../../../../../../server/app-context.server.ts'
import { loadIncident } from './load-incident.server.ts'

type Param = 'org' | 'project' | 'incident'

export const load = (args: LoadArgs<AppContext, Param>) => loadIncident(args)

export async function action(args: ActionArgs<AppContext, Param>) {
  const grant = await projectGrant(args, 'alert:write')
  const { commands } = args.context
  const incidentId = Number(args.params.incident)
  const posted = fieldsOf(await args.formData())
  const does = posted.text('does')
  const done = async (job: Promise<unknown>, saved: SavedForm): Promise<never> => {
    await orEndPage(job)
    return redirect(`${paths.incident(grant.orgSlug, grant.projectSlug, incidentId)}?saved=${saved}`, 303)
  }
  if (does === 'acknowledge')
    return done(acknowledgeIncident(commands, grant, { incidentId }), 'incident-acknowledged')
  if (does === 'resolve') return done(resolveIncident(commands, grant, { incidentId }), 'incident-resolved')
  if (does === 'retry') {
    const notificationId = posted.number('notificationId')
    if (!Number.isSafeInteger(notificationId)) return httpError(400)
    const input = { incidentId, notificationId }
    return done(retryIncidentNotification(commands, grant, input), 'notification-retried')
  }
  if (does !== 'note') return httpError(400)
  try {
    return await done(
      noteIncident(commands, grant, { incidentId, text: posted.text('text') }),
      'incident-noted',
    )
  } catch (error) {
    if (error instanceof InvalidInput) return invalid({ form: 'note', fields: error.fields })
    throw error
  }
}
