import type { Viewer } from '@sonde/access'
import { endlessTokensSetting, writeTransaction } from '@sonde/stores'
import { writeAudit } from '../audit.ts'
import type { CommandDeps } from '../command-deps.ts'

/**
 * Whether people may make tokens of this organisation that do not expire; those that exist stay as they are. Idempotent.
 * Permission `org:write`. Throws `SondeError`.
 */
export async function allowEndlessTokens(
  { access, records, clock }: CommandDeps,
  viewer: Viewer,
  { org, isAllowed }: { readonly org: string; readonly isAllowed: boolean },
): Promise<void> {
  const scope = await access.openOrg(viewer, org, 'org:write')
  const name = endlessTokensSetting(scope.orgId)
  await writeTransaction(records, async (tx) => {
    if (isAllowed)
      await tx
        .insertInto('setting')
        .values({ name, value: 'on' })
        .onConflict((on) => on.column('name').doNothing())
        .execute()
    else await tx.deleteFrom('setting').where('name', '=', name).execute()
    await writeAudit(tx, {
      orgId: scope.orgId,
      viewer,
      action: isAllowed ? 'token.endless-on' : 'token.endless-off',
      subject: scope.orgSlug,
      atMs: clock.nowMs(),
    })
  })
}
