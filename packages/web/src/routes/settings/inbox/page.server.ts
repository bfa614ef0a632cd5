import { commentWords, markInboxRead } from '@sonde/commands'
import { inboxItems, unreadCount } from '@sonde/queries'
import { type ActionArgs, httpError, type LoadArgs, redirect } from '@sonde/router/server'
import { requireViewer } from '../../../parts/access/page-grant.server.ts'
import { fieldsOf } from '../../../parts/forms/posted-fields.ts'
import { paths } from '../../../paths.ts'
import type { AppContext } from '../../../server/app-context.server.ts'

export async function load(args: LoadArgs<AppContext>) {
  const viewer = requireViewer(args)
  const { queries } = args.context
  const { searchParams } = args.url
  const isUnread = searchParams.get('unread') === 'yes'
  const before = Number(searchParams.get('before') ?? '')
  const beforeId = Number.isSafeInteger(before) && before > 0 ? before : undefined
  const [inbox, unread] = await Promise.all([
    inboxItems(queries, viewer, { beforeId, isUnread }),
    unreadCount(queries, viewer),
  ])
  const items = await Promise.all(
    inbox.items.map(async (item) =>
      item.quote === undefined ? item : { ...item, quote: await commentWords(item.quote) },
    ),
  )
  return { ...inbox, items, unread, isUnread, isFirst: beforeId === undefined }
}

/** `read`: one, `read-all`: every one. */
export async function action(args: ActionArgs<AppContext>) {
  const viewer = requireViewer(args)
  const { commands } = args.context
  const posted = fieldsOf(await args.formData())
  const form = posted.text('form')
  if (form === 'read-all') await markInboxRead(commands, viewer, {})
  else if (form === 'read') {
    const id = posted.number('id')
    if (!Number.isSafeInteger(id) || id < 1) return httpError(400)
    await markInboxRead(commands, viewer, { ids: [id] })
  } else return httpError(400)
  const isUnread = args.url.searchParams.get('unread') === 'yes'
  return redirect(paths.inbox(isUnread ? { unread: 'yes' } : {}), 303)
}
