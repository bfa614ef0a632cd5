/** What the forms of linked issues post: one made at a tracker, one that is there linked, a link ended. */
import type { Grant } from '@sonde/access'
import { errorKind } from '@sonde/base'
import {
  createTrackerIssue,
  type FieldErrors,
  InvalidInput,
  linkTrackerIssue,
  unlinkTrackerIssue,
} from '@sonde/commands'
import { type ActionArgs, httpError, type Invalid, invalid, redirect } from '@sonde/router/server'
import { orEndPage } from '../../../../../parts/access/page-grant.server.ts'
import { fieldsOf, type PostedFields } from '../../../../../parts/forms/posted-fields.ts'
import type { SavedForm } from '../../../../../parts/forms/saved-notice.tsx'
import type { AppContext } from '../../../../../server/app-context.server.ts'

/** Of the form that was posted: the errors of its fields, and under `tracker` what the tracker said. */
export type LinkRefused = {
  readonly kind: 'link-refused'
  readonly form: string
  readonly fields: FieldErrors
}

/** 303 to the same page, or 422 with what was refused. */
export async function changeLinks(
  args: Pick<ActionArgs<AppContext>, 'context' | 'url'>,
  grant: Grant<'event:write', 'project'>,
  issueId: number,
  formData: FormData,
): Promise<Invalid<LinkRefused>> {
  const posted = fieldsOf(formData)
  const form = posted.text('form')
  try {
    const saved = await orEndPage(change(args.context, grant, issueId, posted))
    const { pathname, searchParams } = args.url
    const search = new URLSearchParams(searchParams)
    search.set('saved', saved)
    return redirect(`${pathname}?${search.toString()}#linked-issues`, 303)
  } catch (error) {
    if (error instanceof InvalidInput) return invalid({ kind: 'link-refused', form, fields: error.fields })
    // The tracker's own words.
    if (errorKind(error) === 'invalid' && error instanceof Error)
      return invalid({ kind: 'link-refused', form, fields: { tracker: [error.message] } })
    throw error
  }
}

async function change(
  { commands }: AppContext,
  grant: Grant<'event:write', 'project'>,
  issueId: number,
  posted: PostedFields,
): Promise<SavedForm> {
  const form = posted.text('form')
  if (form === 'unlink-external') {
    await unlinkTrackerIssue(commands, grant, { issueId, linkId: posted.number('linkId') })
    return 'issue-unlinked'
  }
  const { trackerId, place } = whereOf(posted.text('where'))
  if (form === 'create-external') {
    const [title, body] = [posted.text('title'), posted.text('body')]
    await createTrackerIssue(commands, grant, { issueId, trackerId, place, title, body })
    return 'issue-created'
  }
  if (form === 'link-external') {
    // A press on what was found, or what was typed.
    const key = posted.text('found') || posted.text('key')
    await linkTrackerIssue(commands, grant, { issueId, trackerId, key })
    return 'issue-linked'
  }
  return httpError(400)
}

/** `7 acme/shop`, as the field where to has it. */
export function whereOf(text: string): { readonly trackerId: number; readonly place: string } {
  const [, id = '', place = ''] = /^([1-9]\d{0,14}) (.{1,200})$/.exec(text) ?? httpError(400)
  return { trackerId: Number(id), place }
}
