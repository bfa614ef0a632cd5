/** Makes an issue at a tracker, links one that is there, and ends links. */
import type { Grant } from '@sonde/access'
import { errorKind } from '@sonde/base'
import {
  createTrackerIssue,
  draftTrackerIssue,
  InvalidInput,
  linkTrackerIssue,
  unlinkTrackerIssue,
} from '@sonde/commands'
import { findIssue, trackerNames } from '@sonde/queries'
import { type ActionArgs, httpError, invalid, type LoadArgs, notFound, redirect } from '@sonde/router/server'
import { orEndPage, projectGrant } from '../../../../../../parts/access/page-grant.server.ts'
import { fieldsOf, type PostedFields, type RefusedForm } from '../../../../../../parts/forms/posted-fields.ts'
import { paths } from '../../../../../../paths.ts'
import type { AppContext } from '../../../../../../server/app-context.server.ts'
import type { LinkedSaid } from '../linked-issues.tsx'
import { whereOf } from './where.server.ts'

type Requested = LoadArgs<AppContext, 'org' | 'project' | 'issue'>

async function open(args: Requested) {
  const grant = await projectGrant(args, 'event:write')
  return { grant, issue: (await findIssue(args.context.queries, grant, args.params.issue)) ?? notFound() }
}

export async function load(args: Requested) {
  const { queries, commands } = args.context
  const { grant, issue } = await open(args)
  const { id: issueId, shortId, title } = issue
  const [trackers, draft] = await Promise.all([
    trackerNames(queries, grant),
    draftTrackerIssue(commands, grant, { issueId }),
  ])
  return { issue: { shortId, title }, trackers, draft }
}

/** 303 to the issue, or 422 with the errors of each field; under `tracker` what the tracker said. */
export async function action(args: ActionArgs<AppContext, 'org' | 'project' | 'issue'>) {
  const { grant, issue } = await open(args)
  const posted = fieldsOf(await args.formData())
  const refused = (fields: RefusedForm['fields']) =>
    invalid<RefusedForm>({ form: posted.text('form'), fields })
  try {
    const said = await orEndPage(change(args.context, grant, issue.id, posted))
    const { orgSlug, projectSlug } = grant
    return redirect(`${paths.issue(orgSlug, projectSlug, issue.shortId)}?linked=${said}#linked-issues`, 303)
  } catch (error) {
    if (error instanceof InvalidInput) return refused(error.fields)
    if (errorKind(error) === 'invalid' && error instanceof Error) return refused({ tracker: [error.message] })
    throw error
  }
}

async function change(
  { commands }: AppContext,
  grant: Grant<'event:write', 'project'>,
  issueId: number,
  posted: PostedFields,
): Promise<LinkedSaid> {
  const form = posted.text('form')
  if (form === 'unlink') {
    await unlinkTrackerIssue(commands, grant, { issueId, linkId: posted.number('linkId') })
    return 'removed'
  }
  const { trackerId, place } = whereOf(posted.text('where'))
  if (form === 'create') {
    const [title, body] = [posted.text('title'), posted.text('body')]
    await createTrackerIssue(commands, grant, { issueId, trackerId, place, title, body })
    return 'created'
  }
  if (form === 'link') {
    // A press on what was found, or what was typed.
    const key = posted.text('found') || posted.text('key')
    await linkTrackerIssue(commands, grant, { issueId, trackerId, key })
    return 'linked'
  }
  return httpError(400)
}
