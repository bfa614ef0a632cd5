/** Takes the press of "Send a test event". */
import { type ActionArgs, type LoadArgs, redirect } from '@sonde/router/server'
import { paths } from '../../../../paths.ts'
import type { AppContext } from '../../../../server/app-context.ts'
import { projectScope } from '../../../../server/page-scope.ts'

type Args = ActionArgs<AppContext, 'org' | 'project'>

/** Only a post sends: whoever opens the address is shown where the event would be. */
export function load({ params }: LoadArgs<AppContext, 'org' | 'project'>) {
  return redirect(paths.issues(params.org, params.project), 303)
}

/** The list shows the event, or, when it was refused, why. Throws what the door said: an operator must see it. */
export async function action(args: Args) {
  const scope = await projectScope(args, 'project:read')
  const sent = await args.context.sendTestEvent(scope)
  if (!sent.ok) throw new Error(`the test event was not taken: ${sent.message}`)
  return redirect(paths.issues(scope.orgSlug, scope.projectSlug, { query: '' }), 303)
}
