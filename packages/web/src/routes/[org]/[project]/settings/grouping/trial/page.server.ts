/** The live tester of grouping rules, for scripts, a page of events at a time; without them the page above answers the same. */
import { InvalidInput } from '@sonde/commands'
import { type ActionArgs, type LoadArgs, redirect } from '@sonde/router/server'
import { projectGrant } from '../../../../../../parts/access/page-grant.server.ts'
import { fieldsOf } from '../../../../../../parts/forms/posted-fields.ts'
import { paths } from '../../../../../../paths.ts'
import type { AppContext } from '../../../../../../server/app-context.server.ts'
import { tryPage } from '../try-grouping.server.ts'

export function load({ params }: LoadArgs<AppContext, 'org' | 'project'>) {
  return redirect(paths.groupingSettings(params.org, params.project), 303)
}

export async function action(args: ActionArgs<AppContext, 'org' | 'project'>) {
  const grant = await projectGrant(args, 'project:write')
  try {
    return Response.json(await tryPage(args.context, grant, fieldsOf(await args.formData())))
  } catch (error) {
    if (error instanceof InvalidInput) return Response.json({ fields: error.fields })
    throw error
  }
}
