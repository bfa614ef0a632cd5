/** JSON for the bell in the top bar. */
import { unreadCount } from '@sonde/queries'
import type { LoadArgs } from '@sonde/router/server'
import { requireViewer } from '../../../../parts/access/page-grant.server.ts'
import type { AppContext } from '../../../../server/app-context.server.ts'

export async function load(args: LoadArgs<AppContext>): Promise<Response> {
  const unread = await unreadCount(args.context.queries, requireViewer(args))
  return Response.json({ unread }, { headers: { 'cache-control': 'no-store' } })
}
