/** Comes into an organization by an invitation: with a new account, or with one's own. Nothing is used up by looking. */
import { ROLE_PERMISSIONS, type UserViewer } from '@sonde/access'
import { SondeError } from '@sonde/base'
import { type Records, type Role, writeTransaction } from '@sonde/stores'
import { z } from 'zod'
import { writeAuditOf } from '../audit.ts'
import type { CommandDeps } from '../command-deps.ts'
import { asFieldError, emailField, InvalidInput, nameField, readInput } from '../fields.ts'
import { isInactiveInDirectory, joinDirectory } from '../scim/scim-membership.ts'
import { hashOfLink } from './invite.ts'

export type OpenInvitation = {
  readonly invitationId: number
  readonly orgId: number
  readonly orgSlug: string
  readonly orgName: string
  readonly role: Role
  /** Undefined: for whoever has the link. */
  readonly email: string | undefined
  readonly expiresMs: number
  /** Only a mail held the link: who has it reads that address. */
  readonly isMailed: boolean
}

/**
 * `gone`: it never was, was accepted, was revoked, or whoever made it may no longer. Told apart from `expired` alone, which
 * only who holds the link learns.
 */
export type InvitationState =
  | { readonly state: 'open'; readonly invitation: OpenInvitation }
  | { readonly state: 'expired' | 'gone' }

const TOKEN_CHARS = 43

/** Reads alone. */
export async function lookAtInvitation(
  { records, clock }: Pick<CommandDeps, 'records' | 'clock'>,
  token: string,
): Promise<InvitationState> {
  if (token.length !== TOKEN_CHARS) return { state: 'gone' }
  const row = await records
    .selectFrom('invitation')
    .innerJoin('organization', 'organization.id', 'invitation.org_id')
    .select([
      'invitation.id',
      'invitation.org_id',
      'invitation.email',
      'invitation.role',
      'invitation.expires_ms',
    ])
    .select(['invitation.is_mailed', 'invitation.invited_by', 'organization.slug', 'organization.name'])
    .where('invitation.token_hash', '=', hashOfLink(token))
    .executeTakeFirst()
  if (!row || !(await mayStillInvite(records, row))) return { state: 'gone' }
  if (row.expires_ms <= clock.nowMs()) return { state: 'expired' }
  return {
    state: 'open',
    invitation: {
      invitationId: row.id,
      orgId: row.org_id,
      orgSlug: row.slug,
      orgName: row.name,
      role: row.role,
      email: row.email ?? undefined,
      expiresMs: row.expires_ms,
      isMailed: row.is_mailed === 1,
    },
  }
}

/** Who was removed, or is no admin any more, has asked nobody in: they may hold the link themselves. */
async function mayStillInvite(
  records: Records,
  invitation: { readonly org_id: number; readonly invited_by: string; readonly role: Role },
): Promise<boolean> {
  const { org_id: orgId, invited_by: by, role } = invitation
  if (by.startsWith('token:')) {
    const id = Number(by.slice('token:'.length))
    return (
      (await records.selectFrom('api_token').select('id').where('id', '=', id).executeTakeFirst()) !==
      undefined
    )
  }
  if (!by.startsWith('user:')) return true
  const inviter = await records
    .selectFrom('member')
    .innerJoin('user', 'user.id', 'member.user_id')
    .select('member.role')
    .where('member.org_id', '=', orgId)
    .where('member.user_id', '=', by.slice('user:'.length))
    .where('user.disabledMs', 'is', null)
    .executeTakeFirst()
  if (!inviter) return false
  const permissions = ROLE_PERMISSIONS[inviter.role]
  return permissions.includes(role === 'owner' ? 'org:write' : 'member:write')
}

/** With the account of who is signed in. Throws `SondeError` (`not-found`; `conflict`: it is for another address). */
export async function acceptInvitation(
  deps: CommandDeps,
  viewer: UserViewer,
  token: string,
): Promise<{ readonly orgSlug: string }> {
  const operation = 'accept an invitation'
  return writeTransaction(deps.records, async (tx) => {
    const invitation = await open({ ...deps, records: tx }, operation, token)
    if (invitation.email !== undefined && invitation.email !== viewer.email.toLowerCase()) {
      const message = `this invitation is for ${invitation.email}; you are signed in as ${viewer.email}`
      throw new SondeError('conflict', message, { operation, subject: viewer.email })
    }
    await join(deps, tx, invitation, viewer)
    return { orgSlug: invitation.orgSlug }
  })
}

const NEW_ACCOUNT = z.object({
  email: emailField.transform((email) => email.toLowerCase()),
  name: nameField,
  password: z.string(),
})

export type NewAccountInput = {
  /** Of an invitation for an address: that one, whatever stands here. */
  readonly email: string
  readonly name: string
  readonly password: string
}

/**
 * With a new account, which the caller signs in. `isVerified`: whoever did it reads the address. Throws `InvalidInput` (also
 * for an address that has an account), `SondeError` (`not-found`).
 */
export async function createInvitedAccount(
  deps: CommandDeps,
  token: string,
  input: NewAccountInput,
  address: string | undefined,
): Promise<{ readonly userId: string; readonly orgSlug: string }> {
  const operation = 'create an account'
  const invitation = await open(deps, operation, token)
  const { email, name, password } = readInput(operation, NEW_ACCOUNT, {
    ...input,
    email: invitation.email ?? input.email,
  })
  const { userId } = await asFieldError(operation, {}, () =>
    deps.access
      .createUser({ email, name, password, isVerified: invitation.isMailed })
      .catch((error: unknown) => {
        const isTaken = error instanceof SondeError && error.kind === 'conflict'
        throw isTaken ? new InvalidInput(operation, { email: [TAKEN] }) : error
      }),
  )
  try {
    await writeTransaction(deps.records, async (tx) => {
      const now = await open({ ...deps, records: tx }, operation, token)
      await writeAuditOf(tx, {
        orgId: now.orgId,
        actor: `user:${userId}`,
        action: 'user.create',
        subject: userId,
        detail: { invitationId: now.invitationId, isVerified: now.isMailed },
        atMs: deps.clock.nowMs(),
        address,
      })
      await join(deps, tx, now, { userId, email, address })
    })
  } catch (error) {
    // Somebody else took the last place meanwhile: nobody has used this account yet.
    await deps.records.deleteFrom('user').where('id', '=', userId).execute()
    throw error
  }
  return { userId, orgSlug: invitation.orgSlug }
}

const TAKEN = 'has an account already: sign in instead'

async function open(
  deps: Pick<CommandDeps, 'records' | 'clock'>,
  operation: string,
  token: string,
): Promise<OpenInvitation> {
  const looked = await lookAtInvitation(deps, token)
  if (looked.state === 'open') return looked.invitation
  throw new SondeError('not-found', 'this invitation is no longer valid', {
    operation,
    hint: 'Ask whoever invited you for a new one.',
  })
}

type Person = { readonly userId: string; readonly email: string; readonly address?: string | undefined }

/** Uses the invitation up, unless it changes nothing for a member. Who is a member already keeps their role. */
async function join(
  { access, clock }: CommandDeps,
  tx: Records,
  { invitationId, orgId, orgName, role, email: invitedEmail }: OpenInvitation,
  person: Person,
): Promise<void> {
  const { userId, email, address } = person
  const atMs = clock.nowMs()
  if (await isInactiveInDirectory(tx, orgId, { userId, email: email.toLowerCase() }))
    throw new SondeError('forbidden', `${email} is not active in the directory of ${orgName}`, {
      operation: 'join',
      hint: 'Ask the administrators of your directory.',
    })
  const teams = await tx
    .selectFrom('invitation_team')
    .select('team_id')
    .where('invitation_id', '=', invitationId)
    .execute()
  const { numInsertedOrUpdatedRows } = await tx
    .insertInto('member')
    .values({ org_id: orgId, user_id: userId, role, created_ms: atMs })
    .onConflict((conflict) => conflict.columns(['org_id', 'user_id']).doNothing())
    .executeTakeFirstOrThrow()
  const isNew = numInsertedOrUpdatedRows === 1n
  let joinsTeam = false
  if (teams.length > 0) {
    const joined = await tx
      .insertInto('team_member')
      .values(teams.map(({ team_id }) => ({ team_id, user_id: userId, created_ms: atMs })))
      .onConflict((conflict) => conflict.doNothing())
      .executeTakeFirstOrThrow()
    joinsTeam = (joined.numInsertedOrUpdatedRows ?? 0n) > 0n
  }
  // A member who looks whether the link works takes the place of nobody.
  if (!isNew && !joinsTeam && invitedEmail === undefined) return
  const used = await tx
    .updateTable('invitation')
    .set((row) => ({ uses: row('uses', '+', 1) }))
    .where('id', '=', invitationId)
    .whereRef('uses', '<', 'max_uses')
    .returning(['uses', 'max_uses', 'invited_by'])
    .executeTakeFirst()
  if (!used) throw new SondeError('not-found', 'this invitation was used already', { operation: 'join' })
  await joinDirectory(tx, orgId, userId, atMs)
  if (used.uses >= used.max_uses) await tx.deleteFrom('invitation').where('id', '=', invitationId).execute()
  await writeAuditOf(tx, {
    orgId,
    actor: `user:${userId}`,
    action: 'member.join',
    subject: userId,
    detail: { invitationId, role, isNew, invitedBy: used.invited_by },
    atMs,
    address,
  })
  if (isNew) await tellInviter(access, tx, used.invited_by, { email, orgName })
}

/** Whoever asked learns that somebody came, and who. */
async function tellInviter(
  access: CommandDeps['access'],
  tx: Records,
  invitedBy: string,
  { email, orgName }: { readonly email: string; readonly orgName: string },
): Promise<void> {
  if (!invitedBy.startsWith('user:')) return
  const inviter = await tx
    .selectFrom('user')
    .select('email')
    .where('id', '=', invitedBy.slice('user:'.length))
    .executeTakeFirst()
  if (!inviter) return
  await access.mailbox.queue(tx, inviter.email, {
    subject: `${email} joined ${orgName}`,
    heading: `${email} joined ${orgName}`,
    lines: ['They accepted the invitation that you made.'],
    facts: [],
    footer: `Sonde at ${access.publicUrl} sent this because you invited them.`,
  })
}
