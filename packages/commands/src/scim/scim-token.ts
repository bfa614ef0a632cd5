/** The token of an organization's directory: made, replaced and ended by its owners. */
import { actorOf, type Grant, newScimToken } from '@sonde/access'
import { writeTransaction } from '@sonde/stores'
import { writeAudit } from '../audit.ts'
import type { CommandDeps } from '../command-deps.ts'
import { askPassword } from '../tokens/create-token.ts'

type Deps = Pick<CommandDeps, 'records' | 'clock'>
type OwnerGrant = Grant<'org:write', 'org'>

/**
 * The one before ends at once. The text is shown once. It belongs to the organization: whoever made it may go. Throws
 * `InvalidInput` (`currentPassword`).
 */
export async function makeScimToken(
  deps: CommandDeps,
  grant: OwnerGrant,
  { currentPassword }: { readonly currentPassword: string },
): Promise<{ readonly token: string }> {
  const { records, clock } = deps
  const { orgId, orgSlug: subject, viewer } = grant
  if (viewer.kind === 'user') await askPassword(deps, viewer, 'create a SCIM token', currentPassword)
  const { token, tokenHash } = newScimToken()
  const atMs = clock.nowMs()
  await writeTransaction(records, async (tx) => {
    const before = await tx
      .selectFrom('scim_connection')
      .select('token_hash')
      .where('org_id', '=', orgId)
      .executeTakeFirst()
    const row = {
      token_hash: tokenHash,
      made_by: actorOf(viewer),
      made_ms: atMs,
      last_used_ms: null,
      last_request: null,
    }
    await tx
      .insertInto('scim_connection')
      .values({ org_id: orgId, ...row })
      .onConflict((on) => on.column('org_id').doUpdateSet(row))
      .execute()
    const detail = { isRotated: before !== undefined && before.token_hash !== null }
    await writeAudit(tx, { orgId, viewer, action: 'scim.token', subject, detail, atMs })
  })
  return { token }
}

/** The token ends at once. People stay what they are, and so does what the directory told of them. Idempotent. */
export async function endScimToken({ records, clock }: Deps, grant: OwnerGrant): Promise<void> {
  const { orgId, orgSlug: subject, viewer } = grant
  await writeTransaction(records, async (tx) => {
    const ended = await tx
      .updateTable('scim_connection')
      .set({ token_hash: null })
      .where('org_id', '=', orgId)
      .where('token_hash', 'is not', null)
      .returning('org_id')
      .executeTakeFirst()
    if (ended) await writeAudit(tx, { orgId, viewer, action: 'scim.off', subject, atMs: clock.nowMs() })
  })
}
