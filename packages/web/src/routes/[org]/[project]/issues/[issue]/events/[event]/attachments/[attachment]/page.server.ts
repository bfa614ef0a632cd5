import { deleteAttachment } from '@sonde/commands'
import { attachmentAnswer, openAttachment } from '@sonde/queries'
import { type ActionArgs, type LoadArgs, notFound, redirect } from '@sonde/router/server'
import { orEndPage, projectGrant } from '../../../../../../../../../parts/access/page-grant.server.ts'
import { paths } from '../../../../../../../../../paths.ts'
import type { AppContext } from '../../../../../../../../../server/app-context.server.ts'

type Params = 'org' | 'project' | 'issue' | 'event' | 'attachment'

/** The file: to be saved, or with `?view` shown if it is safe to. */
export async function load(args: LoadArgs<AppContext, Params>) {
  const grant = await projectGrant(args, 'event:read')
  const { context, params, url } = args
  const deps = { records: context.queries.records, blobs: context.blobs }
  const opened = await orEndPage(openAttachment(deps, grant, params.event, idOf(params.attachment)))
  if (!opened) return notFound()
  return attachmentAnswer(opened, url.searchParams.has('view') ? 'view' : 'download')
}

/** Deletes it, then shows its event. */
export async function action(args: ActionArgs<AppContext, Params>) {
  const { context, params } = args
  const { org, project, issue, event } = params
  const grant = await projectGrant(args, 'event:delete')
  const id = idOf(params.attachment)
  await orEndPage(deleteAttachment(context.commands, grant, { eventId: event, id }))
  return redirect(`${paths.event(org, project, issue, event)}#attachments`, 303)
}

/** What is no number is nobody's. */
const idOf = (text: string): number => (/^[1-9]\d{0,14}$/.test(text) ? Number(text) : notFound())
