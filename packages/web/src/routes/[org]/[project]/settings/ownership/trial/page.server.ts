/** The live tester of ownership rules, for scripts; without them the page above answers the same. */
import { type ActionArgs, type LoadArgs, redirect } from '@sonde/router/server'
import { projectGrant } from '../../../../../../parts/access/page-grant.server.ts'
import { fieldsOf } from '../../../../../../parts/forms/posted-fields.ts'
import { paths } from '../../../../../../paths.ts'
import type { AppContext } from '../../../../../../server/app-context.server.ts'
import { tryPosted } from '../page.server.ts'

export function load({ params }: LoadArgs<AppContext, 'org' | 'project'>) {
  return redirect(paths.ownership(params.org, params.project), 303)
}

export async function action(args: ActionArgs<AppContext, 'org' | 'project'>) {
  await projectGrant(args, 'project:write')
  return Response.json(await tryPosted(args, fieldsOf(await args.formData())))
}
