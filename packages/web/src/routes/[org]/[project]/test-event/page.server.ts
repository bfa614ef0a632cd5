/** Takes the press of "Send a test event". */
import { type ActionArgs, type LoadArgs, redirect } from '@sonde/router/server'
import { paths } from '../../../../paths.ts'
import type { AppContext } from '../../../../server/app-context.server.ts'
import { projectScope } from '../../../../parts/access/page-scope.server.ts'

type Args = ActionArgs<AppContext, 'org' | 'project'>

/** Only a post sends: whoever opens the address is shown where the event would be. */
export function load({ params }: LoadArgs<AppContext, 'org' | 'project'>) {
  return redirect(paths.issues(params.org, params.project), 303)
}

/** The list shows the event. When it was refused, limits and keys are looked at: the settings show both, the log says which. */
export async function action(args: Args) {
  const scope = await projectScope(args, 'event:write')
  const sent = await args.context.sendTestEvent(scope)
  if (!sent.ok) return redirect(paths.projectSettings(scope.orgSlug, scope.projectSlug), 303)
  return redirect(paths.issues(scope.orgSlug, scope.projectSlug, { query: '' }), 303)
}
