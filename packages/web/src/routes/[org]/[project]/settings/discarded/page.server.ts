/** What the project drops since somebody deleted it for good, and the end of that. */
import { mayAlso } from '@sonde/access'
import { stopDiscarding } from '@sonde/commands'
import { discardedIssues } from '@sonde/queries'
import { type ActionArgs, type LoadArgs, redirect } from '@sonde/router/server'
import { orEndPage, projectGrant } from '../../../../../parts/access/page-grant.server.ts'
import { fieldsOf } from '../../../../../parts/forms/posted-fields.ts'
import { paths } from '../../../../../paths.ts'
import type { AppContext } from '../../../../../server/app-context.server.ts'

export async function load(args: LoadArgs<AppContext, 'org' | 'project'>) {
  const grant = await projectGrant(args, 'event:read')
  return {
    discarded: await discardedIssues(args.context.queries, grant),
    mayDelete: mayAlso(grant, 'event:delete'),
  }
}

export async function action(args: ActionArgs<AppContext, 'org' | 'project'>) {
  const grant = await projectGrant(args, 'event:delete')
  const shortNumber = fieldsOf(await args.formData()).number('issue')
  await orEndPage(stopDiscarding(args.context.commands, grant, { shortNumber }))
  return redirect(`${paths.discarded(grant.orgSlug, grant.projectSlug)}?saved=discard-stopped`, 303)
}
