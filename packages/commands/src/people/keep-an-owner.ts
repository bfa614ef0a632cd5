import { SondeError } from '@sonde/base'
import type { Records } from '@sonde/stores'

/**
 * An organisation without an owner who can sign in could give its rights to nobody any more. Throws `SondeError`
 * (`conflict`) when this person is the last; does nothing for who is no owner. In the transaction of the change.
 */
export async function keepAnOwner(
  tx: Records,
  operation: string,
  { orgId, userId }: { readonly orgId: number; readonly userId: string },
): Promise<void> {
  const owners = await tx
    .selectFrom('member')
    .innerJoin('user', 'user.id', 'member.user_id')
    .innerJoin('organization', 'organization.id', 'member.org_id')
    .select(['user.id', 'user.email', 'user.disabledMs', 'organization.slug'])
    .where('member.org_id', '=', orgId)
    .where('member.role', '=', 'owner')
    .execute()
  const own = owners.find(({ id }) => id === userId)
  if (!own || owners.some(({ id, disabledMs }) => id !== userId && disabledMs === null)) return
  throw new SondeError('conflict', `${own.email} is the last owner of "${own.slug}"`, {
    operation,
    subject: own.email,
    hint: 'Make somebody else an owner first.',
  })
}
