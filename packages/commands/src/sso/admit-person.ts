/**
 * Whoever an organization's provider has named: which account they are, whether they are let in, and what their groups make
 * of them. It takes no grant: the provider's proof, checked by `access`, stands in its place.
 */
import {
  domainOf,
  type SsoConnection,
  type SsoFailure,
  type SsoPerson,
  SsoRefusal,
  type UserViewer,
} from '@sonde/access'
import { type Records, type Role, type SsoRole, writeTransaction } from '@sonde/stores'
import { writeAudit, writeAuditOf } from '../audit.ts'
import type { CommandDeps } from '../command-deps.ts'
import { directoryGroupsOf, isInactiveInDirectory, joinDirectory } from '../scim/scim-membership.ts'

type Deps = Pick<CommandDeps, 'records' | 'access' | 'clock'>
type From = { readonly connection: SsoConnection; readonly address: string | undefined }

/** What the groups of a person lead to. */
type Mapped = {
  /** The strongest; undefined: no group of anybody leads to a role. */
  readonly role: SsoRole | undefined
  readonly teamIds: ReadonlySet<number>
  /** Teams that groups lead to: of these, and of no others, membership follows the provider. */
  readonly managedTeamIds: ReadonlySet<number>
  readonly matched: readonly string[]
}

/**
 * Signs in: finds, connects or makes the account, brings role and teams in line, and says who it is. The session is the
 * caller's. Throws `SsoRefusal`.
 */
export async function admitSsoPerson(
  deps: Deps,
  { connection, address }: From,
  person: SsoPerson,
): Promise<{ readonly userId: string }> {
  const known = await knownAccount(deps, connection, person)
  const found = known ?? (await accountByAddress(deps, connection, person))
  const atMs = deps.clock.nowMs()
  await writeTransaction(deps.records, async (tx) => {
    await joinDirectory(tx, connection.org_id, found.userId, atMs)
    const directory = await directoryGroupsOf(tx, connection.org_id, found.userId)
    const mapped = await mappedOf(tx, connection, [...person.groups, ...directory])
    const subject = found.userId
    const audit = (action: 'member.set' | 'sso.connect' | 'sso.sign-in' | 'user.create', detail: object) =>
      writeAuditOf(tx, {
        orgId: connection.org_id,
        actor: `sso:${connection.id}`,
        action,
        subject,
        detail: { ...detail },
        atMs,
        address,
      })
    await connect(tx, connection, person, found.userId, atMs)
    if (!known) await audit(found.isNew ? 'user.create' : 'sso.connect', { by: connection.kind })
    await followRole(tx, connection, found.userId, mapped, atMs, (detail) => audit('member.set', detail))
    const teams = await followTeams(tx, found.userId, mapped, atMs)
    await audit('sso.sign-in', { by: connection.kind, groups: mapped.matched, ...teams })
    await tx
      .updateTable('sso_connection')
      .set({ last_sign_in_ms: atMs })
      .where('id', '=', connection.id)
      .execute()
  })
  return { userId: found.userId }
}

type Found = { readonly userId: string; readonly isNew: boolean }

/** By the provider's id. Who was removed from the organization since is not let in again by that alone. */
async function knownAccount(
  { records }: Deps,
  connection: SsoConnection,
  person: SsoPerson,
): Promise<Found | undefined> {
  const row = await records
    .selectFrom('sso_identity')
    .innerJoin('user', 'user.id', 'sso_identity.user_id')
    .leftJoin('member', (join) =>
      join.onRef('member.user_id', '=', 'user.id').on('member.org_id', '=', connection.org_id),
    )
    .select(['user.id', 'user.disabledMs', 'member.role'])
    .where('sso_identity.connection_id', '=', connection.id)
    .where('sso_identity.subject', '=', person.subject)
    .executeTakeFirst()
  if (!row) return undefined
  if (row.disabledMs !== null) throw new SsoRefusal('disabled', 'the account is disabled')
  if (row.role === null)
    throw new SsoRefusal('no-account', 'this person was removed from the organization: invite them again')
  return { userId: row.id, isNew: false }
}

/** By an address that is surely this person's. */
async function accountByAddress(deps: Deps, connection: SsoConnection, person: SsoPerson): Promise<Found> {
  const { email } = person
  if (email === undefined) throw new SsoRefusal('no-email', 'the provider told no address')
  if (!person.isEmailVerified)
    throw new SsoRefusal('unverified-email', `the provider does not stand for the address ${email}`)
  const domain = await deps.records
    .selectFrom('sso_domain')
    .select('domain')
    .where('org_id', '=', connection.org_id)
    .where('domain', '=', domainOf(email))
    .where('verified_ms', 'is not', null)
    .executeTakeFirst()
  if (!domain)
    throw new SsoRefusal('wrong-domain', `${domainOf(email)} is no verified domain of the organization`)
  const memberships = await deps.records
    .selectFrom('user')
    .leftJoin('member', 'member.user_id', 'user.id')
    .select(['user.id', 'user.disabledMs', 'user.isOperator', 'user.emailVerified', 'member.org_id'])
    .where('user.email', '=', email)
    .execute()
  const [account] = memberships
  if (await isInactiveInDirectory(deps.records, connection.org_id, { userId: account?.id, email }))
    throw new SsoRefusal('disabled', `${email} is not active in the directory of the organization`)
  if (!account) {
    if (connection.makes_accounts !== 1)
      throw new SsoRefusal('no-account', `${email} has no account, and none is made`)
    const name = person.name ?? email.slice(0, email.indexOf('@'))
    const { userId } = await deps.access.createUserWithoutPassword({ email, name })
    return { userId, isNew: true }
  }
  if (account.disabledMs !== null) throw new SsoRefusal('disabled', 'the account is disabled')
  const isMember = memberships.some(({ org_id }) => org_id === connection.org_id)
  const isElsewhere = memberships.some(({ org_id }) => org_id !== null && org_id !== connection.org_id)
  // What else the account opens is not this organization's to give. One whose address nobody proved may have been made by
  // somebody else under it, who still knows its password.
  if (account.isOperator === 1 || isElsewhere || account.emailVerified !== 1)
    throw new SsoRefusal('has-account', `${email} has an account that its person has to connect`)
  if (!isMember && connection.makes_accounts !== 1)
    throw new SsoRefusal('no-account', `${email} is no member, and nobody becomes one by signing in`)
  return { userId: account.id, isNew: false }
}

/** One identity of a person at a provider: a later one takes the place of the one before. */
async function connect(
  tx: Records,
  { id }: SsoConnection,
  { subject }: SsoPerson,
  userId: string,
  atMs: number,
): Promise<void> {
  await tx
    .deleteFrom('sso_identity')
    .where('connection_id', '=', id)
    .where('user_id', '=', userId)
    .where('subject', '<>', subject)
    .execute()
  await tx
    .insertInto('sso_identity')
    .values({ connection_id: id, subject, user_id: userId, created_ms: atMs, last_ms: atMs })
    .onConflict((conflict) => conflict.columns(['connection_id', 'subject']).doUpdateSet({ last_ms: atMs }))
    .execute()
}

const RANK: Readonly<Record<Role, number>> = { owner: 3, admin: 2, member: 1, viewer: 0 }

async function mappedOf(
  records: Records,
  connection: SsoConnection,
  groups: readonly string[],
): Promise<Mapped> {
  const rows = await records
    .selectFrom('sso_group')
    .select(['group_name', 'role', 'team_id'])
    .where('connection_id', '=', connection.id)
    .execute()
  const told = new Set(groups)
  const mine = rows.filter(({ group_name }) => told.has(group_name))
  const teamsOf = (some: typeof rows): ReadonlySet<number> =>
    new Set(some.flatMap(({ team_id }) => (team_id === null ? [] : [team_id])))
  const roles = mine.flatMap(({ role }) => (role === null ? [] : [role]))
  const [strongest = connection.default_role] = roles.toSorted((a, b) => RANK[b] - RANK[a])
  return {
    role: rows.some(({ role }) => role !== null) ? strongest : undefined,
    teamIds: teamsOf(mine),
    managedTeamIds: teamsOf(rows),
    matched: [...new Set(mine.map(({ group_name }) => group_name))].toSorted(),
  }
}

/** Owners stay what they are: a provider neither makes nor unmakes one. */
async function followRole(
  tx: Records,
  connection: SsoConnection,
  userId: string,
  mapped: Mapped,
  atMs: number,
  audit: (detail: object) => Promise<void>,
): Promise<void> {
  const { org_id } = connection
  const member = await tx
    .selectFrom('member')
    .select('role')
    .where('org_id', '=', org_id)
    .where('user_id', '=', userId)
    .executeTakeFirst()
  const role = mapped.role ?? member?.role ?? connection.default_role
  if (member?.role === 'owner' || member?.role === role) return
  await tx
    .insertInto('member')
    .values({ org_id, user_id: userId, role, created_ms: atMs })
    .onConflict((conflict) => conflict.columns(['org_id', 'user_id']).doUpdateSet({ role }))
    .execute()
  await audit({ role, ...(member && { before: member.role }), by: 'single sign-on' })
}

async function followTeams(
  tx: Records,
  userId: string,
  { teamIds, managedTeamIds }: Mapped,
  atMs: number,
): Promise<{ readonly joined?: readonly number[]; readonly left?: readonly number[] }> {
  if (managedTeamIds.size === 0) return {}
  const rows = await tx
    .selectFrom('team_member')
    .select('team_id')
    .where('user_id', '=', userId)
    .where('team_id', 'in', [...managedTeamIds])
    .execute()
  const now = new Set(rows.map(({ team_id }) => team_id))
  const joined = [...teamIds].filter((id) => !now.has(id))
  // Who is in a group of the directory's is the directory's to say.
  const directory = await tx
    .selectFrom('scim_group')
    .select('team_id')
    .where('team_id', 'in', [...managedTeamIds])
    .execute()
  const left = [...now].filter((id) => !teamIds.has(id) && directory.every(({ team_id }) => team_id !== id))
  if (joined.length > 0)
    await tx
      .insertInto('team_member')
      .values(joined.map((team_id) => ({ team_id, user_id: userId, created_ms: atMs })))
      .execute()
  if (left.length > 0)
    await tx.deleteFrom('team_member').where('user_id', '=', userId).where('team_id', 'in', left).execute()
  return { ...(joined.length > 0 && { joined }), ...(left.length > 0 && { left }) }
}

/** Somebody who is signed in here, and at the provider, is one person from now on. Throws `SsoRefusal`. */
export async function connectSsoPerson(
  deps: Deps,
  viewer: UserViewer,
  { connection }: From,
  person: SsoPerson,
): Promise<void> {
  if (viewer.ssoOrgId !== undefined)
    throw new SsoRefusal('other-person', 'a session that began with a provider connects no other')
  const isMember = [...viewer.memberships, ...(viewer.closedMemberships ?? [])].some(
    ({ orgId }) => orgId === connection.org_id,
  )
  if (!isMember) throw new SsoRefusal('no-account', 'who is no member of the organization connects nothing')
  const atMs = deps.clock.nowMs()
  await writeTransaction(deps.records, async (tx) => {
    const other = await tx
      .selectFrom('sso_identity')
      .select('user_id')
      .where('connection_id', '=', connection.id)
      .where('subject', '=', person.subject)
      .executeTakeFirst()
    if (other && other.user_id !== viewer.userId)
      throw new SsoRefusal('has-account', 'the account at the provider is connected with somebody else here')
    await connect(tx, connection, person, viewer.userId, atMs)
    await writeAudit(tx, {
      orgId: connection.org_id,
      viewer,
      action: 'sso.connect',
      subject: viewer.userId,
      detail: { by: connection.kind },
      atMs,
    })
  })
}

/** What the provider tells of the owner who tries it, for the settings page. From now on it may be switched on. */
export async function recordSsoTest(
  deps: Deps,
  viewer: UserViewer,
  { connection }: From,
  person: SsoPerson,
): Promise<void> {
  const atMs = deps.clock.nowMs()
  await writeTransaction(deps.records, async (tx) => {
    const { matched } = await mappedOf(tx, connection, person.groups)
    const { email, isEmailVerified, name, groups } = person
    const told = { email, isEmailVerified, name, groups: groups.slice(0, 50), groupCount: groups.length }
    await tx
      .updateTable('sso_connection')
      .set({ tested_ms: atMs, test_result: JSON.stringify({ ...told, matched }) })
      .where('id', '=', connection.id)
      // What was changed meanwhile was not tried.
      .where('updated_ms', '=', connection.updated_ms)
      .execute()
    const { org_id: orgId, orgSlug: subject, kind } = connection
    await writeAudit(tx, { orgId, viewer, action: 'sso.test', subject, detail: { kind }, atMs })
  })
}

/** For owners: the settings page shows the last, the audit has them all, up to some hundred a day. Never throws. */
export async function recordSsoFailure(
  deps: Deps,
  { connection, address }: From,
  { reason, message }: { readonly reason: SsoFailure; readonly message: string },
): Promise<void> {
  const atMs = deps.clock.nowMs()
  const mayAudit = await deps.access.sso.recordFailure(connection.org_id, reason, address)
  if (!mayAudit) return
  await writeTransaction(deps.records, async (tx) => {
    await tx
      .updateTable('sso_connection')
      .set({
        last_failure_ms: atMs,
        last_failure: JSON.stringify({ reason, message: message.slice(0, 500) }),
      })
      .where('id', '=', connection.id)
      .execute()
    await writeAuditOf(tx, {
      orgId: connection.org_id,
      actor: 'stranger',
      action: 'sso.failure',
      subject: connection.orgSlug,
      detail: { reason, message: message.slice(0, 500) },
      atMs,
      address,
    })
  })
}
