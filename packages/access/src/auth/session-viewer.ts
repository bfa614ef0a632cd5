/** From a browser's cookies to a viewer. */
import type { Records } from '@sonde/stores'
import type { UserViewer } from '../viewer.ts'
import type { Auth } from './create-auth.ts'

const COOKIE_NAME = /(?:^|;\s*)(?:__Secure-)?sonde\.session_token=/

/**
 * Undefined without a living session. A request without our cookie costs nothing; one with it, two indexed reads.
 * Roles are read each time: who was removed from an organisation is out at the next request.
 */
export async function viewerFromCookies(
  auth: () => Promise<Auth>,
  records: Records,
  headers: Headers,
): Promise<UserViewer | undefined> {
  if (!COOKIE_NAME.test(headers.get('cookie') ?? '')) return undefined
  const { api } = await auth()
  const found = await api.getSession({ headers })
  if (!found) return undefined
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
    memberships: memberships.map((row) => ({
      orgId: row.id,
      orgSlug: row.slug,
      orgName: row.name,
      role: row.role,
    })),
  }
}
