/** From a browser's cookies to a viewer. */
import type { Clock } from '@sonde/base'
import type { Records } from '@sonde/stores'
import type { UserViewer } from '../viewer.ts'
import type { Cookies } from './known-device.ts'
import type { Auth } from './create-auth.ts'

/** `lastSeenMs` is for people; a write per request would be waste. */
const LAST_SEEN_STEP_MS = 60 * 60_000

/**
 * Undefined without a living session. A request without our cookie costs nothing; one with it, two indexed reads,
 * and one write an hour.
 * Roles are read each time: who was removed from an organisation is out at the next request.
 * `onSetCookie` gets the renewed cookie about once an hour, so that a session ends 30 days after its last use. Who
 * cannot pass a cookie on leaves it out, and the session is left for the next request that can.
 */
export async function viewerFromCookies(
  auth: () => Promise<Auth>,
  records: Records,
  cookies: Cookies,
  clock: Clock,
  headers: Headers,
  address: string | undefined,
  onSetCookie?: (setCookie: string) => void,
): Promise<UserViewer | undefined> {
  if (cookies.read('session_token', headers) === undefined) return undefined
  const { api } = await auth()
  const { response: found, headers: answered } = await api.getSession({
    headers,
    query: { disableRefresh: onSetCookie === undefined },
    returnHeaders: true,
  })
  if (!found) return undefined
  for (const setCookie of answered.getSetCookie()) onSetCookie?.(setCookie)
  const rows = await records
    .selectFrom('user')
    .leftJoin('member', 'member.user_id', 'user.id')
    .leftJoin('organization', 'organization.id', 'member.org_id')
    .select([
      'user.isOperator',
      'user.disabledMs',
      'user.lastSeenMs',
      'organization.id',
      'organization.slug',
      'organization.name',
      'member.role',
    ])
    .where('user.id', '=', found.user.id)
    .orderBy('organization.slug')
    .execute()
  const [person] = rows
  if (!person || person.disabledMs !== null) return undefined
  const nowMs = clock.nowMs()
  if ((person.lastSeenMs ?? 0) < nowMs - LAST_SEEN_STEP_MS)
    await records.updateTable('user').set({ lastSeenMs: nowMs }).where('id', '=', found.user.id).execute()
  return {
    kind: 'user',
    userId: found.user.id,
    email: found.user.email,
    name: found.user.name,
    sessionId: found.session.id,
    ...(address === undefined ? {} : { address }),
    isOperator: person.isOperator === 1,
    memberships: rows.flatMap(({ id, slug, name, role }) =>
      id === null || slug === null || name === null || role === null
        ? []
        : [{ orgId: id, orgSlug: slug, orgName: name, role }],
    ),
  }
}
