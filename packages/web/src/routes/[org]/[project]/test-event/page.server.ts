/** Takes the press of "Send a test event". */
import { type ActionArgs, type LoadArgs, redirect } from '@sonde/router/server'
import { projectGrant } from '../../../../parts/access/page-grant.server.ts'
import { paths } from '../../../../paths.ts'
import type { AppContext } from '../../../../server/app-context.server.ts'

type Args = ActionArgs<AppContext, 'org' | 'project'>

/** Only a post sends: whoever opens the address is shown where the event would be. */
export function load({ params }: LoadArgs<AppContext, 'org' | 'project'>) {
  return redirect(paths.issues(params.org, params.project), 303)
}

/** The list shows the event. When it was refused, limits and keys are looked at: the settings show both, the log says which. */
export async function action(args: Args) {
  const grant = await projectGrant(args, 'event:write')
  const sent = await args.context.sendTestEvent(grant)
  if (!sent.ok) return redirect(paths.projectSettings(grant.orgSlug, grant.projectSlug), 303)
  return redirect(paths.issues(grant.orgSlug, grant.projectSlug, { query: '' }), 303)
}
