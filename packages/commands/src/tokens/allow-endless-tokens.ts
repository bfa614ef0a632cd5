import type { Grant } from '@sonde/access'
import { endlessTokensSetting, writeTransaction } from '@sonde/stores'
import { writeAudit } from '../audit.ts'
import type { CommandDeps } from '../command-deps.ts'

/**
 * Whether people may make tokens of this organisation that do not expire; those that exist stay as they are. Idempotent.
 */
export async function allowEndlessTokens(
  { records, clock }: Pick<CommandDeps, 'records' | 'clock'>,
  grant: Grant<'org:write', 'org'>,
  isAllowed: boolean,
): Promise<void> {
  const name = endlessTokensSetting(grant.orgId)
  await writeTransaction(records, async (tx) => {
    if (isAllowed)
      await tx
        .insertInto('setting')
        .values({ name, value: 'on' })
        .onConflict((on) => on.column('name').doNothing())
        .execute()
    else await tx.deleteFrom('setting').where('name', '=', name).execute()
    await writeAudit(tx, {
      orgId: grant.orgId,
      viewer: grant.viewer,
      action: isAllowed ? 'token.endless-on' : 'token.endless-off',
      subject: grant.orgSlug,
      atMs: clock.nowMs(),
    })
  })
}
