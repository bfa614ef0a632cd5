/** Asks into which of the chosen issues the others are merged, and does it. */
import { mergeIssues } from '@sonde/commands'
import { type ActionArgs, invalid, type LoadArgs, redirect } from '@sonde/router/server'
import { orEndPage, projectGrant } from '../../../../../parts/access/page-grant.server.ts'
import { fieldsOf } from '../../../../../parts/forms/posted-fields.ts'
import { chosenIds, chosenIssues } from '../../../../../parts/issue-list/chosen-issues.server.ts'
import { refusedBy } from '../../../../../parts/issue/read-deed.server.ts'
import { paths } from '../../../../../paths.ts'
import type { AppContext } from '../../../../../server/app-context.server.ts'

type Requested = LoadArgs<AppContext, 'org' | 'project'>

export async function load(args: Requested) {
  const grant = await projectGrant(args, 'event:write')
  return { issues: await chosenIssues(args.context, grant, chosenIds(args.url.searchParams.get('ids'))) }
}

/** 303 to what the issue consists of now, or 422 with the reason. */
export async function action(args: ActionArgs<AppContext, 'org' | 'project'>) {
  const grant = await projectGrant(args, 'event:write')
  const posted = fieldsOf(await args.formData())
  const into = posted.number('into')
  const ids = chosenIds(posted.text('ids'))
  try {
    const done = await orEndPage(mergeIssues(args.context.commands, grant, { ids, into }))
    const shortId = `${grant.projectSlug.toUpperCase()}-${done.into.shortNumber}`
    const search = { did: 'merged', undo: done.undo }
    return redirect(paths.issueParts(grant.orgSlug, grant.projectSlug, shortId, search), 303)
  } catch (error) {
    return invalid(refusedBy(error))
  }
}
