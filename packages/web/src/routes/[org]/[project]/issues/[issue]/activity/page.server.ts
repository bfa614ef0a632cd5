/** Everything that was done about an issue, and where one writes, edits and removes comments. */
import { errorKind } from '@sonde/base'
import {
  addComment,
  type CommentNode,
  deleteComment,
  editComment,
  InvalidInput,
  previewComment,
  reactToComment,
} from '@sonde/commands'
import { findIssue } from '@sonde/queries'
import { type ActionArgs, httpError, invalid, type LoadArgs, notFound, redirect } from '@sonde/router/server'
import { orEndPage, projectGrant } from '../../../../../../parts/access/page-grant.server.ts'
import { fieldsOf, type PostedFields, type RefusedForm } from '../../../../../../parts/forms/posted-fields.ts'
import { paths } from '../../../../../../paths.ts'
import type { AppContext } from '../../../../../../server/app-context.server.ts'
import { leadOn } from '../lead-on.server.ts'
import { loadActivity } from '../load-activity.server.ts'

type Param = 'org' | 'project' | 'issue'
type Args = LoadArgs<AppContext, Param>

const SHOWN = 50

const idIn = (text: string | null): number | undefined =>
  text !== null && /^[1-9]\d{0,14}$/.test(text) ? Number(text) : undefined

export async function load(args: Args) {
  const { context, params, url } = args
  const grant = await projectGrant(args, 'event:read')
  const issue = (await findIssue(context.queries, grant, params.issue)) ?? notFound()
  leadOn(args, issue)
  const { searchParams } = url
  const onlyComments = searchParams.get('only') === 'comments'
  const fromId = idIn(searchParams.get('from'))
  const activity = await loadActivity(args, grant, issue, { limit: SHOWN, fromId, onlyComments })
  const editId = idIn(searchParams.get('edit'))
  return {
    issue: { shortId: issue.shortId, title: issue.title },
    activity,
    onlyComments,
    fromId,
    editId,
  }
}

/** `previewed`: what the comment that was typed would look like. */
export type ActivityAnswer = RefusedForm & { readonly previewed?: readonly CommentNode[] }

/** 303 back, or 422 with what is wrong with the text. */
export async function action(args: ActionArgs<AppContext, Param>) {
  const { context, params } = args
  const grant = await projectGrant(args, 'event:write')
  const issue = (await findIssue(context.queries, grant, params.issue)) ?? notFound()
  const posted = fieldsOf(await args.formData())
  const text = posted.text('text')
  if (posted.has('preview')) {
    const { nodes } = await previewComment(context.commands, grant, text)
    return invalid<ActivityAnswer>({ form: formOf(posted), fields: {}, previewed: nodes })
  }
  try {
    const id = await orEndPage(change(context, grant, issue.id, posted))
    return redirect(backTo(params, issue.shortId, posted, id), 303)
  } catch (error) {
    if (!(error instanceof InvalidInput)) throw error
    return invalid<ActivityAnswer>({ form: formOf(posted), fields: error.fields })
  }
}

/** One of a comment that is edited is another than that of a new one. */
const formOf = (posted: PostedFields): string =>
  posted.text('does') === 'edit' ? `edit-${posted.text('id')}` : 'add'

/** The id of the comment that is still there afterwards. */
async function change(
  { commands }: AppContext,
  grant: Awaited<ReturnType<typeof projectGrant<'event:write'>>>,
  issueId: number,
  posted: PostedFields,
): Promise<number | undefined> {
  const text = posted.text('text')
  const does = posted.has('does') ? posted.text('does') : 'react'
  if (does === 'add') return (await addComment(commands, grant, { issueId, text })).id
  const commentId = idIn(posted.text('id')) ?? httpError(400)
  if (does === 'edit') await editComment(commands, grant, { issueId, commentId, text })
  else if (does === 'react')
    await reactAs(commands, grant, { issueId, commentId, reaction: posted.text('reaction') as '👍' })
  else if (does === 'delete') {
    await deleteComment(commands, grant, { issueId, commentId })
    return undefined
  } else return httpError(400)
  return commentId
}

/** A button can post nothing else than a reaction of the list. */
async function reactAs(...args: Parameters<typeof reactToComment>): Promise<void> {
  try {
    await reactToComment(...args)
  } catch (error) {
    if (errorKind(error) === 'invalid') httpError(400)
    throw error
  }
}

function backTo(
  { org, project }: { readonly org: string; readonly project: string },
  shortId: string,
  posted: PostedFields,
  id: number | undefined,
): string {
  const mark = id === undefined ? '' : `#comment-${id}`
  const page =
    posted.text('back') === 'issue'
      ? paths.issue(org, project, shortId)
      : paths.issueActivity(org, project, shortId)
  return page + mark
}
