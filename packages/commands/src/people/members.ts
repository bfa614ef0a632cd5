/** What becomes of somebody's membership of an organisation. */
import type { OrgScope, Viewer } from '@sonde/access'
import { SondeError } from '@sonde/base'
import { type Records, type Role, ROLES, writeTransaction } from '@sonde/stores'
import { z } from 'zod'
import { writeAudit } from '../audit.ts'
import type { CommandDeps } from '../command-deps.ts'
import { refField } from '../fields.ts'
import { readInput } from '../invalid-input.ts'
import { keepAnOwner } from './keep-an-owner.ts'

export const roleField = z.enum(ROLES, { error: `is one of ${ROLES.join(', ')}` })
const MEMBER = z.object({ org: refField, userId: z.string().min(1, 'is needed').max(100) })
const ROLE = MEMBER.extend({ role: roleField })
const REMOVE = MEMBER.extend({ keepTokens: z.boolean().default(false) })

export type MemberInput = { readonly org: string | number; readonly userId: string }

/**
 * Holds at the member's next request. Permission `member:write`, and `org:write` when an owner is made or touched.
 * Throws `InvalidInput`, `SondeError` (`not-found`, `forbidden`; `conflict`: the last owner stays one).
 */
export async function setMemberRole(
  deps: CommandDeps,
  viewer: Viewer,
  input: MemberInput & { readonly role: Role },
): Promise<void> {
  const operation = 'change a role'
  const { org, userId, role } = readInput(operation, ROLE, input)
  const { scope, before } = await openMember(deps, viewer, operation, { org, userId, role })
  if (before === role) return
  await writeTransaction(deps.records, async (tx) => {
    if (role !== 'owner') await keepAnOwner(tx, operation, { orgId: scope.orgId, userId })
    await tx
      .updateTable('member')
      .set({ role })
      .where('org_id', '=', scope.orgId)
      .where('user_id', '=', userId)
      .execute()
    const detail = { before, role }
    await writeAudit(tx, {
      orgId: scope.orgId,
      viewer,
      action: 'member.set',
      subject: userId,
      detail,
      atMs: deps.clock.nowMs(),
    })
  })
}

/**
 * Holds at the member's next request: sessions go on, but do not open this organisation any more. Their own tokens for it
 * go, and those that they made for the organisation, for they may have kept a copy: `keepTokens` leaves those. Permission
 * and errors as for `setMemberRole`. Returns how many tokens ended, and how many that they made still work.
 */
export async function removeMember(
  deps: CommandDeps,
  viewer: Viewer,
  input: MemberInput & { readonly keepTokens?: boolean },
): Promise<{ readonly endedTokens: number; readonly keptTokens: number }> {
  const operation = 'remove a member'
  const { org, userId, keepTokens } = readInput(operation, REMOVE, input)
  const { scope, before } = await openMember(deps, viewer, operation, { org, userId })
  const { orgId } = scope
  return writeTransaction(deps.records, async (tx) => {
    await keepAnOwner(tx, operation, { orgId, userId })
    await tx.deleteFrom('member').where('org_id', '=', orgId).where('user_id', '=', userId).execute()
    const tokens = await endTokensIn(tx, orgId, userId, keepTokens)
    const detail = { before, ...tokens }
    const atMs = deps.clock.nowMs()
    await writeAudit(tx, { orgId, viewer, action: 'member.remove', subject: userId, detail, atMs })
    return tokens
  })
}

/** `role`: what the member is to become. */
async function openMember(
  deps: CommandDeps,
  viewer: Viewer,
  operation: string,
  { org, userId, role }: { org: string | number; userId: string; role?: Role },
): Promise<{ scope: OrgScope; before: Role }> {
  const scope = await deps.access.openOrg(viewer, org, 'member:write')
  const member = await deps.records
    .selectFrom('member')
    .select('role')
    .where('org_id', '=', scope.orgId)
    .where('user_id', '=', userId)
    .executeTakeFirst()
  if (!member) throw new SondeError('not-found', `no member ${userId}`, { operation, subject: userId })
  if (role === 'owner' || member.role === 'owner') await deps.access.openOrg(viewer, org, 'org:write')
  return { scope, before: member.role }
}

async function endTokensIn(
  tx: Records,
  orgId: number,
  userId: string,
  keepTokens: boolean,
): Promise<{ endedTokens: number; keptTokens: number }> {
  const ended = await tx
    .deleteFrom('api_token')
    .where('org_id', '=', orgId)
    .where((eb) => eb.or([eb('user_id', '=', userId), ...(keepTokens ? [] : [eb('made_by', '=', userId)])]))
    .returning('id')
    .execute()
  const kept = await tx
    .selectFrom('api_token')
    .select('id')
    .where('org_id', '=', orgId)
    .where('made_by', '=', userId)
    .execute()
  return { endedTokens: ended.length, keptTokens: kept.length }
}
