/**
 * People whom another service names by their address: chats in which somebody presses a button. What that service says is
 * worth as much as its signature, which is the caller's to check.
 */
import type { Records } from '@sonde/stores'
import type { UserViewer } from './viewer.ts'

/**
 * Undefined: no member of this organization has the address, or the account is disabled. With the role of now, in this
 * organization alone, and never as an operator.
 */
export async function viewerOfMember(
  records: Records,
  orgId: number,
  email: string,
): Promise<UserViewer | undefined> {
  const row = await records
    .selectFrom('member')
    .innerJoin('user', 'user.id', 'member.user_id')
    .innerJoin('organization', 'organization.id', 'member.org_id')
    .select(['user.id', 'user.email', 'user.name', 'member.role'])
    .select(['organization.slug', 'organization.name as orgName'])
    .where('member.org_id', '=', orgId)
    .where((eb) => eb(eb.fn<string>('lower', ['user.email']), '=', email.toLowerCase()))
    .where('user.disabledMs', 'is', null)
    .executeTakeFirst()
  if (!row) return undefined
  const { id: userId, name, role, slug: orgSlug, orgName } = row
  return {
    kind: 'user',
    userId,
    email: row.email,
    name,
    isOperator: false,
    memberships: [{ orgId, orgSlug, orgName, role }],
  }
}
