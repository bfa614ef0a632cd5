/** From a browser's cookies to a viewer. */
import type { Records } from '@sonde/stores'
import type { UserViewer } from '../viewer.ts'
import type { Auth } from './create-auth.ts'

const COOKIE_NAME = /(?:^|;\s*)(?:__Secure-)?sonde\.session_token=/

/**
 * Undefined without a living session. A request without our cookie costs nothing; one with it, two indexed reads.
 * Roles are read each time: who was removed from an organisation is out at the next request.
 * `onSetCookie` gets the renewed cookie about once an hour, so that a session ends 30 days after its last use. Who
 * cannot pass a cookie on leaves it out, and the session is left for the next request that can.
 */
export async function viewerFromCookies(
  auth: () => Promise<Auth>,
  records: Records,
  headers: Headers,
  onSetCookie?: (setCookie: string) => void,
): Promise<UserViewer | undefined> {
  if (!COOKIE_NAME.test(headers.get('cookie') ?? '')) return undefined
  const { api } = await auth()
  const { response: found, headers: answered } = await api.getSession({
    headers,
    query: { disableRefresh: onSetCookie === undefined },
    returnHeaders: true,
  })
  if (!found) return undefined
  for (const setCookie of answered.getSetCookie()) onSetCookie?.(setCookie)
  const memberships = await records
    .selectFrom('member')
    .innerJoin('organization', 'organization.id', 'member.org_id')
    .select(['organization.id', 'organization.slug', 'organization.name', 'member.role'])
    .where('member.user_id', '=', found.user.id)
    .orderBy('organization.slug')
    .execute()
  return {
    kind: 'user',
    userId: found.user.id,
    email: found.user.email,
    name: found.user.name,
    sessionId: found.session.id,
    memberships: memberships.map((row) => ({
      orgId: row.id,
      orgSlug: row.slug,
      orgName: row.name,
      role: row.role,
    })),
  }
}
