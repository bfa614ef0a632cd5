/** What a schedule comes to, for scripts; without them the form's own page answers the same. */
import { type ActionArgs, type LoadArgs, redirect } from '@sonde/router/server'
import { projectGrant } from '../../../../../parts/access/page-grant.server.ts'
import { fieldsOf } from '../../../../../parts/forms/posted-fields.ts'
import { paths } from '../../../../../paths.ts'
import type { AppContext } from '../../../../../server/app-context.server.ts'
import { postedCron } from '../cron-draft.ts'
import { tryCron } from '../try-cron.server.ts'

export function load({ params }: LoadArgs<AppContext, 'org' | 'project'>) {
  return redirect(paths.newCron(params.org, params.project), 303)
}

export async function action(args: ActionArgs<AppContext, 'org' | 'project'>) {
  await projectGrant(args, 'alert:write')
  return Response.json(tryCron(postedCron(fieldsOf(await args.formData())), args.context.clock.nowMs()))
}
