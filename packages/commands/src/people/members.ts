/** What becomes of somebody's membership of an organization. */
import { actorOf, type Grant, requireAlso, requireToGive } from '@sonde/access'
import { SondeError } from '@sonde/base'
import { type Records, type Role, ROLES, writeTransaction } from '@sonde/stores'
import { z } from 'zod'
import { writeAudit } from '../audit.ts'
import type { CommandDeps } from '../command-deps.ts'
import { readInput } from '../fields.ts'
import { unassignAll } from '../issues/assign-issues.ts'
import { leaveTeams } from './teams.ts'

export const roleField = z.enum(ROLES, { error: `is one of ${ROLES.join(', ')}` })
const MEMBER = z.object({ userId: z.string().min(1, 'is needed').max(100) })
const ROLE = MEMBER.extend({ role: roleField })
const REMOVE = MEMBER.extend({ keepTokens: z.boolean().default(false) })

export type MemberInput = { readonly userId: string }

/**
 * Holds at the member's next request. Needs `org:write` too when an owner is made or touched.
 * Throws `InvalidInput`, `SondeError` (`not-found`, `forbidden`; `conflict`: the last owner stays one).
 */
export async function setMemberRole(
  deps: CommandDeps,
  grant: Grant<'member:write', 'org'>,
  input: MemberInput & { readonly role: Role },
): Promise<void> {
  const operation = 'change a role'
  const { userId, role } = readInput(operation, ROLE, input)
  const before = await roleBefore(deps, grant, operation, { userId, role })
  if (before === role) return
  await writeTransaction(deps.records, async (tx) => {
    requireToGive(grant, role)
    if (role !== 'owner') await keepAnOwner(tx, operation, { orgId: grant.orgId, userId })
    await tx
      .updateTable('member')
      .set({ role })
      .where('org_id', '=', grant.orgId)
      .where('user_id', '=', userId)
      .execute()
    const detail = { before, role }
    await writeAudit(tx, {
      orgId: grant.orgId,
      viewer: grant.viewer,
      action: 'member.set',
      subject: userId,
      detail,
      atMs: deps.clock.nowMs(),
    })
  })
}

/**
 * Holds at the member's next request: sessions go on, but do not open this organization any more. Their own tokens for it
 * go, and those that they made for the organization, for they may have kept a copy: `keepTokens` leaves those. What it needs
 * and throws: as `setMemberRole`. Returns how many tokens ended, and how many that they made still work.
 */
export async function removeMember(
  deps: CommandDeps,
  grant: Grant<'member:write', 'org'>,
  input: MemberInput & { readonly keepTokens?: boolean },
): Promise<{ readonly endedTokens: number; readonly keptTokens: number }> {
  const operation = 'remove a member'
  const { userId, keepTokens } = readInput(operation, REMOVE, input)
  const before = await roleBefore(deps, grant, operation, { userId })
  const { orgId, viewer } = grant
  return writeTransaction(deps.records, async (tx) => {
    const atMs = deps.clock.nowMs()
    const actor = actorOf(viewer)
    const { tokens, issues } = await endMembership(tx, operation, { orgId, userId, keepTokens, actor, atMs })
    const detail = { before, ...tokens, ...issues }
    await writeAudit(tx, { orgId, viewer, action: 'member.remove', subject: userId, detail, atMs })
    return tokens
  })
}

export type MembershipEnd = {
  readonly orgId: number
  readonly userId: string
  readonly keepTokens: boolean
  /** As in the audit. */
  readonly actor: string
  readonly atMs: number
}

/** All that a membership gave. In the transaction of whoever may, and writes the audit. Throws like `keepAnOwner`. */
export async function endMembership(
  tx: Records,
  operation: string,
  { orgId, userId, keepTokens, actor, atMs }: MembershipEnd,
) {
  await keepAnOwner(tx, operation, { orgId, userId })
  await tx.deleteFrom('member').where('org_id', '=', orgId).where('user_id', '=', userId).execute()
  // Whoever was asked in by somebody who is out may be that person.
  await tx
    .deleteFrom('invitation')
    .where('org_id', '=', orgId)
    .where('invited_by', '=', `user:${userId}`)
    .execute()
  await leaveTeams(tx, orgId, userId)
  await forgetMarks(tx, orgId, userId)
  const tokens = await endTokensIn(tx, orgId, userId, keepTokens)
  const issues = await unassignAll(tx, { orgId, assignee: `user:${userId}`, actor, atMs })
  return { tokens, issues }
}

/** What somebody kept for themselves in an organization: bookmarks, subscriptions, what they have seen (issues and replays), own searches. */
async function forgetMarks(tx: Records, orgId: number, userId: string): Promise<void> {
  for (const table of ['issue_subscription', 'issue_bookmark', 'issue_view'] as const)
    await tx
      .deleteFrom(table)
      .where('user_id', '=', userId)
      .where('issue_id', 'in', (eb) =>
        eb
          .selectFrom('issue')
          .innerJoin('project', 'project.id', 'issue.project_id')
          .select('issue.id')
          .where('project.org_id', '=', orgId),
      )
      .execute()
  await tx
    .deleteFrom('replay_view')
    .where('user_id', '=', userId)
    .where('project_id', 'in', (eb) => eb.selectFrom('project').select('id').where('org_id', '=', orgId))
    .execute()
  for (const table of ['default_search', 'pinned_search', 'saved_search'] as const)
    await tx.deleteFrom(table).where('org_id', '=', orgId).where('user_id', '=', userId).execute()
}

/** `role`: what the member is to become. */
async function roleBefore(
  deps: CommandDeps,
  grant: Grant<'member:write', 'org'>,
  operation: string,
  { userId, role }: { userId: string; role?: Role },
): Promise<Role> {
  const member = await deps.records
    .selectFrom('member')
    .select('role')
    .where('org_id', '=', grant.orgId)
    .where('user_id', '=', userId)
    .executeTakeFirst()
  if (!member) throw new SondeError('not-found', `no member ${userId}`, { operation, subject: userId })
  if (role === 'owner' || member.role === 'owner') requireAlso(grant, 'org:write')
  // A token with few scopes neither makes an admin nor unmakes one.
  requireToGive(grant, member.role)
  return member.role
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

/**
 * An organization without an owner who can sign in could give its rights to nobody any more. Throws `SondeError`
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
