/** Asks before issues are deleted, with how much that is. */
import { errorKind } from '@sonde/base'
import { deleteIssues } from '@sonde/commands'
import { type ActionArgs, httpError, invalid, type LoadArgs, redirect } from '@sonde/router/server'
import { orEndPage, projectGrant } from '../../../../../parts/access/page-grant.server.ts'
import { fieldsOf } from '../../../../../parts/forms/posted-fields.ts'
import { chosenIds, chosenIssues } from '../../../../../parts/issue-list/chosen-issues.server.ts'
import { type Refused, refusedBy } from '../../../../../parts/issue/read-deed.server.ts'
import { paths } from '../../../../../paths.ts'
import type { AppContext } from '../../../../../server/app-context.server.ts'

type Requested = LoadArgs<AppContext, 'org' | 'project'>

export async function load(args: Requested) {
  const grant = await projectGrant(args, 'event:delete')
  return { issues: await chosenIssues(args.context, grant, chosenIds(args.url.searchParams.get('ids'))) }
}

/** `does`: `delete`, or `discard` for future events as well. */
export async function action(args: ActionArgs<AppContext, 'org' | 'project'>) {
  const grant = await projectGrant(args, 'event:delete')
  const posted = fieldsOf(await args.formData())
  const does = posted.text('does')
  if (does !== 'delete' && does !== 'discard') return httpError(400)
  const ids = chosenIds(posted.text('ids'))
  const { orgSlug, projectSlug } = grant
  try {
    const {
      deletedIds: [deletedId],
    } = await orEndPage(deleteIssues(args.context.commands, grant, { ids, discard: does === 'discard' }))
    return redirect(
      deletedId === undefined
        ? paths.discarded(orgSlug, projectSlug)
        : `${paths.issues(orgSlug, projectSlug)}?deleted=${deletedId}`,
      303,
    )
  } catch (error) {
    if (errorKind(error) === 'conflict' && error instanceof Error)
      return invalid<Refused>({ kind: 'refused', refused: error.message })
    return invalid(refusedBy(error))
  }
}
