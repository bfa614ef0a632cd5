/** What an issue consists of: takes it apart, or gives back what was merged into it. */
import { mayAlso } from '@sonde/access'
import { takeOutFingerprints, undoIssues } from '@sonde/commands'
import { findIssue, issueParts } from '@sonde/queries'
import { type ActionArgs, httpError, invalid, type LoadArgs, notFound, redirect } from '@sonde/router/server'
import { orEndPage, projectGrant } from '../../../../../../parts/access/page-grant.server.ts'
import { fieldsOf } from '../../../../../../parts/forms/posted-fields.ts'
import { refusedBy } from '../../../../../../parts/issue/read-deed.server.ts'
import { paths } from '../../../../../../paths.ts'
import type { AppContext } from '../../../../../../server/app-context.server.ts'
import { leadOn } from '../lead-on.server.ts'

type Requested = LoadArgs<AppContext, 'org' | 'project' | 'issue'>

export async function load(args: Requested) {
  const { queries } = args.context
  const grant = await projectGrant(args, 'event:read')
  const issue = (await findIssue(queries, grant, args.params.issue)) ?? notFound()
  leadOn(args, issue)
  const { id, shortId, title, eventCount } = issue
  return {
    issue: { id, shortId, title, eventCount },
    ...(await issueParts(queries, grant, issue)),
    mayChange: mayAlso(grant, 'event:write'),
    mayDelete: mayAlso(grant, 'event:delete'),
  }
}

/** `does`: `back` with the id of a merged issue, `split` with fingerprints, or `undo` with what a merge answered. */
export async function action(args: ActionArgs<AppContext, 'org' | 'project' | 'issue'>) {
  const { queries, commands } = args.context
  const grant = await projectGrant(args, 'event:write')
  const issue = (await findIssue(queries, grant, args.params.issue)) ?? notFound()
  const posted = fieldsOf(await args.formData())
  const lead = (did: string) =>
    redirect(paths.issueParts(grant.orgSlug, grant.projectSlug, issue.shortId, { did }), 303)
  const undo = posted.text('undo')
  try {
    if (undo !== '') {
      await orEndPage(undoIssues(commands, grant, { undo }))
      return lead('undone')
    }
    const does = posted.text('does')
    if (does !== 'back' && does !== 'split') return httpError(400)
    const back = posted.number('back')
    const hashes = does === 'split' ? posted.all('hash').flatMap((text) => text.split(',')) : []
    await orEndPage(
      takeOutFingerprints(commands, grant, {
        issueId: issue.id,
        hashes,
        ...(does === 'back' && { backTo: back }),
      }),
    )
    return lead(does === 'back' ? 'back' : 'split')
  } catch (error) {
    return invalid(refusedBy(error))
  }
}
