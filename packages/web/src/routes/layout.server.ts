import { mayOperate } from '@sonde/access'
import { unreadCount } from '@sonde/queries'
import type { LoadArgs } from '@sonde/router/server'
import type { AppContext } from '../server/app-context.server.ts'
import { themeFromCookies } from '../shell/theme.ts'

/** Never redirects: the sign-in page is inside this layout too. */
export async function load({ request, context }: LoadArgs<AppContext>) {
  const { viewer, clock, queries } = context
  return {
    nowMs: clock.nowMs(),
    // The layout is shown also while the records are away.
    unread: viewer ? await unreadCount(queries, viewer).catch(() => 0) : 0,
    theme: themeFromCookies(request.headers.get('cookie')),
    viewer: viewer && {
      name: viewer.name,
      email: viewer.email,
      isOperator: mayOperate(viewer),
      organizations: viewer.memberships.map(({ orgSlug, orgName }) => ({ slug: orgSlug, name: orgName })),
    },
  }
}
