/** Whether the members of an organization need a second factor to open it. */
import type { Grant } from '@sonde/access'
import { SondeError } from '@sonde/base'
import { writeTransaction } from '@sonde/stores'
import { nameOf, writeAudit } from '../audit.ts'
import type { CommandDeps } from '../command-deps.ts'

/**
 * Holds at each member's next request; other organizations and tokens are not affected. Idempotent. Throws `SondeError`
 * (`conflict`: whoever switches it on has none, and would be the first to stand outside).
 */
export async function requireSecondFactor(
  { records, clock }: Pick<CommandDeps, 'records' | 'clock'>,
  grant: Grant<'org:write', 'org'>,
  isRequired: boolean,
): Promise<void> {
  const operation = 'require a second factor'
  const { orgId, viewer } = grant
  await writeTransaction(records, async (tx) => {
    if (isRequired && viewer.kind === 'user') {
      const own = await tx
        .selectFrom('user')
        .select('twoFactorEnabled')
        .where('id', '=', viewer.userId)
        .executeTakeFirst()
      if (own?.twoFactorEnabled !== 1)
        throw new SondeError('conflict', 'your own account has no second factor: set one up first', {
          operation,
          subject: viewer.email,
        })
    }
    const changed = await tx
      .updateTable('organization')
      .set({ requires_second_factor: isRequired ? 1 : 0 })
      .where('id', '=', orgId)
      .where('requires_second_factor', '=', isRequired ? 0 : 1)
      .returning('id')
      .executeTakeFirst()
    if (!changed) return
    await writeAudit(tx, {
      orgId,
      viewer,
      action: isRequired ? 'organization.second-factor-on' : 'organization.second-factor-off',
      subject: nameOf(grant),
      atMs: clock.nowMs(),
    })
  })
}
