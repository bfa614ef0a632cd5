/** Makes the public link of an issue, and revokes it. */
import { mayAlso } from '@sonde/access'
import { SHARE_DAYS, shareIssue, unshareIssue } from '@sonde/commands'
import { allowsPublicLinks, findIssue, issueShare, SHARED_TAGS } from '@sonde/queries'
import { type ActionArgs, httpError, invalid, type LoadArgs, notFound, redirect } from '@sonde/router/server'
import { projectGrant } from '../../../../../../parts/access/page-grant.server.ts'
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
  const [share, isAllowed] = await Promise.all([
    issueShare(queries, issue.id),
    allowsPublicLinks(queries, grant.orgId),
  ])
  return {
    issue: { shortId: issue.shortId, title: issue.title },
    share,
    isAllowed,
    mayChange: mayAlso(grant, 'event:write'),
    days: SHARE_DAYS,
    tags: SHARED_TAGS,
  }
}

/** The link is in the answer, once: only its hash is stored. `does`: `share` or `revoke`. */
export async function action(args: ActionArgs<AppContext, 'org' | 'project' | 'issue'>) {
  const { queries, commands } = args.context
  const grant = await projectGrant(args, 'event:write')
  const issue = (await findIssue(queries, grant, args.params.issue)) ?? notFound()
  const posted = fieldsOf(await args.formData())
  const of = { id: issue.id, projectId: issue.project.id }
  args.setHeader('cache-control', 'no-store')
  if (posted.text('does') === 'revoke') {
    await unshareIssue(commands, grant, of)
    return redirect(paths.issueShare(grant.orgSlug, grant.projectSlug, issue.shortId), 303)
  }
  if (posted.text('does') !== 'share') return httpError(400)
  try {
    const { token } = await shareIssue(commands, grant, of, { days: posted.number('days') })
    return { url: `${queries.publicUrl}${paths.shared(token)}` }
  } catch (error) {
    return invalid(refusedBy(error))
  }
}
