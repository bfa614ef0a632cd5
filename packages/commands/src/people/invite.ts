/** Asks people into an organization: by mail, or by a link that whoever asks passes on. */
import { createHash, randomBytes } from 'node:crypto'
import { actorOf, type Grant, requireAlso, requireToGive } from '@sonde/access'
import { SondeError } from '@sonde/base'
import { type Records, type Role, writeTransaction } from '@sonde/stores'
import { z } from 'zod'
import { writeAudit } from '../audit.ts'
import type { CommandDeps } from '../command-deps.ts'
import { emailField, InvalidInput, readInput } from '../fields.ts'
import { roleField } from './members.ts'
import { requireToGiveTeams } from './teams.ts'

const INVITATION_DAYS = [1, 7, 30] as const
const DAY_MS = 24 * 60 * 60_000
const HOUR_MS = 60 * 60_000

/** Of one organization. */
export const INVITATION_LIMITS = {
  addressesAtOnce: 50,
  waiting: 500,
  /** Made or sent again. */
  anHour: 200,
  usesOfOpenLink: 100,
} as const

const lifeField = z.coerce
  .number()
  .refine((days) => (INVITATION_DAYS as readonly number[]).includes(days), {
    error: `is one of ${INVITATION_DAYS.join(', ')} days`,
  })
  .default(7)
const teamsField = z.array(z.int().positive()).max(100, 'are at most 100').default([])

const INVITE = z.object({
  emails: z
    .array(z.string())
    .min(1, 'at least one address is needed')
    .max(INVITATION_LIMITS.addressesAtOnce, `are at most ${INVITATION_LIMITS.addressesAtOnce} at once`)
    .superRefine((emails, context) => {
      const wrong = emails.filter((email) => !emailField.safeParse(email).success)
      if (wrong.length > 0) context.addIssue(`is not an e-mail address: ${someOf(wrong)}`)
    })
    .transform((emails) => [...new Set(emails.map((email) => email.toLowerCase()))]),
  role: roleField.default('member'),
  teamIds: teamsField,
  days: lifeField,
  byMail: z.boolean().default(true),
})

/** Of fifty addresses in a field, which one is meant; a pasted page is not said again. */
function someOf(wrong: readonly string[]): string {
  const named = wrong.slice(0, 3).map((text) => (text.length > 60 ? `${text.slice(0, 60)}…` : text))
  return named.join(', ') + (wrong.length > named.length ? ` and ${wrong.length - named.length} more` : '')
}

/** A link for anybody gives no more than a member's rights. */
const OPEN_LINK = z.object({
  role: z.enum(['member', 'viewer'], { error: 'is member or viewer' }).default('member'),
  teamIds: teamsField,
  days: lifeField,
  maxUses: z.coerce
    .number()
    .int('is a whole number')
    .min(1, 'is at least 1')
    .max(INVITATION_LIMITS.usesOfOpenLink, `is at most ${INVITATION_LIMITS.usesOfOpenLink}`)
    .default(10),
})

export type InviteInput = {
  readonly emails: readonly string[]
  /** `member` unless told. */
  readonly role?: Role | undefined
  readonly teamIds?: readonly number[] | undefined
  /** One of `INVITATION_DAYS`; 7 unless told. */
  readonly days?: number | undefined
  /** False: the links are returned instead of sent. Without mail set up they always are. */
  readonly byMail?: boolean | undefined
}

export type Invited = {
  readonly invitationId: number
  /** Undefined: for anybody. */
  readonly email: string | undefined
  readonly expiresMs: number
  /** Only when it was not mailed: shown once, for only its hash is stored. */
  readonly url: string | undefined
}

/** Who may ask somebody in: an owner is asked in by owners alone. Of invitations, and again when one is taken. */
type InviteGrant = Grant<'member:write', 'org'>

/**
 * A new invitation for the same address takes the place of the old one. `isMember`: who is in already is left as they are.
 * Throws `InvalidInput`, `SondeError` (`forbidden`; `conflict`: too many).
 */
export async function inviteMembers(
  deps: CommandDeps,
  grant: InviteGrant,
  input: InviteInput,
): Promise<{ readonly invited: readonly Invited[]; readonly members: readonly string[] }> {
  const operation = 'invite members'
  const { emails, role, teamIds, days, byMail } = readInput(operation, INVITE, input)
  if (role === 'owner') requireAlso(grant, 'org:write')
  const isMailed = byMail && deps.access.mailbox.isOn
  return writeTransaction(deps.records, async (tx) => {
    const members = await membersAmong(tx, grant.orgId, emails)
    const wanted = emails.filter((email) => !members.includes(email))
    await checkTeams(tx, grant.orgId, operation, teamIds)
    const invited: Invited[] = []
    for (const email of wanted) {
      await deleteWaiting(tx, grant.orgId, email)
      invited.push(
        await insertInvitation(deps, tx, grant, { email, role, teamIds, days, maxUses: 1, isMailed }),
      )
    }
    await checkRoom(deps, tx, grant.orgId, operation)
    return { invited, members }
  })
}

export type OpenLinkInput = {
  readonly role?: string | undefined
  readonly teamIds?: readonly number[] | undefined
  readonly days?: number | undefined
  /** So many people may come by it; 10 unless told. */
  readonly maxUses?: number | undefined
}

/** Whoever has the link may come in by it. Throws as `inviteMembers`. */
export async function createInviteLink(
  deps: CommandDeps,
  grant: InviteGrant,
  input: OpenLinkInput,
): Promise<Invited> {
  const operation = 'create an invite link'
  const { role, teamIds, days, maxUses } = readInput(operation, OPEN_LINK, input)
  return writeTransaction(deps.records, async (tx) => {
    await checkTeams(tx, grant.orgId, operation, teamIds)
    const wanted = { email: undefined, role, teamIds, days, maxUses, isMailed: false }
    const invited = await insertInvitation(deps, tx, grant, wanted)
    await checkRoom(deps, tx, grant.orgId, operation)
    return invited
  })
}

/**
 * With a new link, which the old one gives way to, and as many days as it had. `byMail` false: the link is returned.
 * Throws `SondeError` (`not-found`, `forbidden`, `conflict`).
 */
export async function renewInvitation(
  deps: CommandDeps,
  grant: InviteGrant,
  { invitationId, byMail }: { readonly invitationId: number; readonly byMail: boolean },
): Promise<Invited> {
  const operation = 'renew an invitation'
  return writeTransaction(deps.records, async (tx) => {
    const row = await waiting(tx, grant, operation, invitationId)
    const { access, clock } = deps
    const nowMs = clock.nowMs()
    const { token, hash } = newToken()
    const isMailed = byMail && row.email !== null && access.mailbox.isOn
    const expiresMs = nowMs + (row.expires_ms - row.sent_ms)
    await tx
      .updateTable('invitation')
      .set({ token_hash: hash, sent_ms: nowMs, expires_ms: expiresMs, is_mailed: isMailed ? 1 : 0 })
      .where('id', '=', invitationId)
      .execute()
    await audit(deps, tx, grant, 'member.invite-renew', row.email ?? `link ${invitationId}`, {
      invitationId,
      isMailed,
    })
    await checkRoom(deps, tx, grant.orgId, operation)
    const url = invitationUrl(access.publicUrl, token)
    const email = row.email ?? undefined
    if (isMailed && email !== undefined)
      await mailInvitation(deps, tx, grant, { email, role: row.role, url, expiresMs })
    return { invitationId, email, expiresMs, url: isMailed ? undefined : url }
  })
}

/** The link ends at once. Throws `SondeError` (`not-found`, `forbidden`). */
export async function revokeInvitation(
  deps: CommandDeps,
  grant: InviteGrant,
  { invitationId }: { readonly invitationId: number },
): Promise<void> {
  await writeTransaction(deps.records, async (tx) => {
    const row = await waiting(tx, grant, 'revoke an invitation', invitationId)
    await tx.deleteFrom('invitation').where('id', '=', invitationId).execute()
    const subject = row.email ?? `link ${invitationId}`
    await audit(deps, tx, grant, 'member.invite-revoke', subject, { invitationId })
  })
}

type Wanted = {
  readonly email: string | undefined
  readonly role: Role
  readonly teamIds: readonly number[]
  readonly days: number
  readonly maxUses: number
  readonly isMailed: boolean
}

async function insertInvitation(
  deps: CommandDeps,
  tx: Records,
  grant: InviteGrant,
  { email, role, teamIds, days, maxUses, isMailed }: Wanted,
): Promise<Invited> {
  requireToGive(grant, role)
  await requireToGiveTeams(tx, grant, teamIds)
  const nowMs = deps.clock.nowMs()
  const expiresMs = nowMs + days * DAY_MS
  const { token, hash } = newToken()
  const { id } = await tx
    .insertInto('invitation')
    .values({
      org_id: grant.orgId,
      email: email ?? null,
      role,
      token_hash: hash,
      is_mailed: isMailed ? 1 : 0,
      invited_by: actorOf(grant.viewer),
      created_ms: nowMs,
      sent_ms: nowMs,
      expires_ms: expiresMs,
      max_uses: maxUses,
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  if (teamIds.length > 0) {
    const rows = teamIds.map((team_id) => ({ invitation_id: id, team_id }))
    await tx.insertInto('invitation_team').values(rows).execute()
  }
  const detail = { invitationId: id, role, isMailed, ...(maxUses > 1 && { maxUses }) }
  await audit(deps, tx, grant, 'member.invite', email ?? `link ${id}`, detail)
  const url = invitationUrl(deps.access.publicUrl, token)
  if (isMailed && email !== undefined) await mailInvitation(deps, tx, grant, { email, role, url, expiresMs })
  return { invitationId: id, email, expiresMs, url: isMailed ? undefined : url }
}

/** 256 bits. */
function newToken(): { readonly token: string; readonly hash: string } {
  const token = randomBytes(32).toString('base64url')
  return { token, hash: hashOfLink(token) }
}

export const hashOfLink = (token: string): string => createHash('sha256').update(token).digest('hex')

const invitationUrl = (publicUrl: string, token: string): string =>
  `${publicUrl}/settings/invitation?token=${token}`

async function mailInvitation(
  { access }: CommandDeps,
  tx: Records,
  grant: InviteGrant,
  to: { readonly email: string; readonly role: Role; readonly url: string; readonly expiresMs: number },
): Promise<void> {
  const who =
    grant.viewer.kind === 'user' ? `${grant.viewer.name} (${grant.viewer.email})` : 'An administrator'
  const mail = {
    subject: `Join ${grant.orgName} on Sonde`,
    heading: `Join ${grant.orgName} on Sonde`,
    lines: [`${who} invited you to the organization ${grant.orgName}.`],
    facts: [
      ['Role', to.role],
      ['Link expires', `${new Date(to.expiresMs).toISOString().slice(0, 16).replace('T', ' ')} UTC`],
    ] as [string, string][],
    button: { label: 'Accept invitation', url: to.url },
    footer: `Sonde at ${access.publicUrl} sent this because somebody there entered your address. If you do not know them, ignore it: nothing happens.`,
  }
  await access.mailbox.queue(tx, to.email, mail)
}

async function membersAmong(
  tx: Records,
  orgId: number,
  emails: readonly string[],
): Promise<readonly string[]> {
  const rows = await tx
    .selectFrom('member')
    .innerJoin('user', 'user.id', 'member.user_id')
    .select('user.email')
    .where('member.org_id', '=', orgId)
    .where('user.email', 'in', emails)
    .execute()
  return rows.map(({ email }) => email)
}

async function checkTeams(
  tx: Records,
  orgId: number,
  operation: string,
  teamIds: readonly number[],
): Promise<void> {
  if (teamIds.length === 0) return
  const rows = await tx
    .selectFrom('team')
    .select('id')
    .where('org_id', '=', orgId)
    .where('id', 'in', teamIds)
    .execute()
  const missing = teamIds.find((id) => !rows.some((row) => row.id === id))
  if (missing !== undefined) throw new InvalidInput(operation, { teamIds: [`no team ${missing} is here`] })
}

const deleteWaiting = (tx: Records, orgId: number, email: string) =>
  tx.deleteFrom('invitation').where('org_id', '=', orgId).where('email', '=', email).execute()

async function waiting(tx: Records, grant: InviteGrant, operation: string, invitationId: number) {
  const row = await tx
    .selectFrom('invitation')
    .selectAll()
    .where('org_id', '=', grant.orgId)
    .where('id', '=', invitationId)
    .executeTakeFirst()
  if (!row) {
    const subject = String(invitationId)
    throw new SondeError('not-found', 'this invitation was accepted or revoked already', {
      operation,
      subject,
    })
  }
  if (row.role === 'owner') requireAlso(grant, 'org:write')
  return row
}

/** After the change, so that it is taken back with it. */
async function checkRoom(
  { clock }: CommandDeps,
  tx: Records,
  orgId: number,
  operation: string,
): Promise<void> {
  const refused = (message: string, hint: string) => new SondeError('conflict', message, { operation, hint })
  const { count } = await tx
    .selectFrom('invitation')
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .where('org_id', '=', orgId)
    .executeTakeFirstOrThrow()
  if (count > INVITATION_LIMITS.waiting)
    throw refused(
      `an organization has at most ${INVITATION_LIMITS.waiting} invitations that wait`,
      'Revoke some that nobody will accept.',
    )
  const made = await tx
    .selectFrom('audit_entry')
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .where('org_id', '=', orgId)
    .where('at_ms', '>', clock.nowMs() - HOUR_MS)
    .where('action', 'in', ['member.invite', 'member.invite-renew'])
    .executeTakeFirstOrThrow()
  if (made.count > INVITATION_LIMITS.anHour)
    throw refused(
      `an organization sends at most ${INVITATION_LIMITS.anHour} invitations an hour`,
      'Try again later.',
    )
}

function audit(
  { clock }: CommandDeps,
  tx: Records,
  { orgId, viewer }: InviteGrant,
  action: 'member.invite' | 'member.invite-renew' | 'member.invite-revoke',
  subject: string,
  detail: Readonly<Record<string, unknown>>,
): Promise<void> {
  return writeAudit(tx, { orgId, viewer, action, subject, detail, atMs: clock.nowMs() })
}
