/** How membership follows what an organization's directory says of somebody, and who may not come in past it. */
import type { ScimCaller } from '@sonde/access'
import type { Records, Role, SsoRole } from '@sonde/stores'
import { writeAuditOf } from '../audit.ts'
import { endMembership } from '../people/members.ts'

type Person = { readonly id: string; readonly userId: string }

/** A member again, or for the first time: with the role and teams of before, and the groups that the directory told. */
export async function activate(
  tx: Records,
  caller: ScimCaller,
  { id, userId }: Person,
  { isNew }: { readonly isNew: boolean },
  atMs: number,
): Promise<void> {
  const { orgId, actor, address } = caller
  const kept = await tx
    .selectFrom('scim_user')
    .select(['kept_role', 'kept_teams'])
    .where('id', '=', id)
    .executeTakeFirstOrThrow()
  const told = await roleOfGroups(tx, orgId, [id])
  const role =
    kept.kept_role === 'owner' ? 'owner' : (told.get(id) ?? kept.kept_role ?? (await defaultRole(tx, orgId)))
  await tx
    .insertInto('member')
    .values({ org_id: orgId, user_id: userId, role, created_ms: atMs })
    .onConflict((on) => on.doNothing())
    .execute()
  await joinTeamsOf(tx, orgId, { id, userId }, JSON.parse(kept.kept_teams) as number[], atMs)
  await tx.updateTable('scim_user').set({ kept_role: null, kept_teams: '[]' }).where('id', '=', id).execute()
  const action = isNew ? 'user.create' : 'member.set'
  const detail = { role, by: 'SCIM' }
  await writeAuditOf(tx, { orgId, actor, address, action, subject: userId, detail, atMs })
}

/** Those that there still are, and the groups that the directory told. */
async function joinTeamsOf(
  tx: Records,
  orgId: number,
  { id, userId }: Person,
  kept: readonly number[],
  atMs: number,
): Promise<void> {
  const teams = await tx
    .selectFrom('team')
    .select('team.id')
    .where('team.org_id', '=', orgId)
    .where((eb) =>
      eb.or([
        eb('team.id', 'in', (group) =>
          group.selectFrom('scim_group_member').select('team_id').where('scim_user_id', '=', id),
        ),
        ...(kept.length > 0 ? [eb('team.id', 'in', kept)] : []),
      ]),
    )
    .execute()
  if (teams.length === 0) return
  await tx
    .insertInto('team_member')
    .values(teams.map((team) => ({ team_id: team.id, user_id: userId, created_ms: atMs })))
    .onConflict((on) => on.doNothing())
    .execute()
}

/** Out, at the next request; what they were is kept. Throws like `keepAnOwner`. */
export async function deactivate(
  tx: Records,
  operation: string,
  caller: ScimCaller,
  { id, userId }: Person,
  before: Role,
  atMs: number,
): Promise<void> {
  const { orgId, actor, address } = caller
  const teams = await tx
    .selectFrom('team_member')
    .innerJoin('team', 'team.id', 'team_member.team_id')
    .select('team.id')
    .where('team.org_id', '=', orgId)
    .where('team_member.user_id', '=', userId)
    .execute()
  const end = { orgId, userId, keepTokens: false, actor, atMs }
  const { tokens, issues } = await endMembership(tx, operation, end)
  // A session by the organization's provider opens nothing else, so it ends whole.
  const sessions = tx.selectFrom('sso_session').select('session_id').where('org_id', '=', orgId)
  await tx.deleteFrom('session').where('userId', '=', userId).where('id', 'in', sessions).execute()
  await tx
    .updateTable('scim_user')
    .set({ kept_role: before, kept_teams: JSON.stringify(teams.map((team) => team.id)) })
    .where('id', '=', id)
    .execute()
  const detail = { before, ...tokens, ...issues, by: 'SCIM', isKept: true }
  await writeAuditOf(tx, { orgId, actor, address, action: 'member.remove', subject: userId, detail, atMs })
}

async function defaultRole(tx: Records, orgId: number): Promise<SsoRole> {
  const row = await tx
    .selectFrom('sso_connection')
    .select('default_role')
    .where('org_id', '=', orgId)
    .executeTakeFirst()
  return row?.default_role ?? 'member'
}

/** Strongest first. */
const ROLE_ORDER: readonly SsoRole[] = ['admin', 'member', 'viewer']
/** Fewer than SQLite and PostgreSQL bind in one statement. */
const AT_ONCE = 500

/**
 * What the mapping of groups to roles, which single sign-on has, makes of people: the strongest of their groups', or the role
 * of new members. Only groups count that the directory told, for a member may join a team alone. Empty: no group leads to a role.
 */
export async function roleOfGroups(
  tx: Records,
  orgId: number,
  ids: readonly string[],
): Promise<ReadonlyMap<string, SsoRole>> {
  const mapping = await tx
    .selectFrom('sso_group')
    .innerJoin('sso_connection', 'sso_connection.id', 'sso_group.connection_id')
    .select(['group_name', 'role', 'default_role'])
    .where('sso_connection.org_id', '=', orgId)
    .where('role', 'is not', null)
    .execute()
  const [first] = mapping
  if (!first) return new Map()
  const roles = new Map<string, SsoRole>()
  for (let from = 0; from < ids.length; from += AT_ONCE) {
    const some = ids.slice(from, from + AT_ONCE)
    const groups = await tx
      .selectFrom('scim_group_member')
      .innerJoin('team', 'team.id', 'scim_group_member.team_id')
      .select(['scim_user_id', 'team.name'])
      .where('scim_user_id', 'in', some)
      .where('team.org_id', '=', orgId)
      .where('team.name', 'in', [...new Set(mapping.map(({ group_name }) => group_name))])
      .execute()
    const byPerson = Map.groupBy(groups, (row) => row.scim_user_id)
    for (const id of some) {
      const names = new Set((byPerson.get(id) ?? []).map(({ name }) => name))
      const own = mapping.flatMap(({ group_name, role }) => (names.has(group_name) && role ? [role] : []))
      roles.set(id, ROLE_ORDER.find((role) => own.includes(role)) ?? first.default_role)
    }
  }
  return roles
}

/** Names of the groups that the directory told of somebody. */
export async function directoryGroupsOf(
  tx: Records,
  orgId: number,
  userId: string,
): Promise<readonly string[]> {
  const rows = await tx
    .selectFrom('scim_group_member')
    .innerJoin('scim_user', 'scim_user.id', 'scim_group_member.scim_user_id')
    .innerJoin('team', 'team.id', 'scim_group_member.team_id')
    .select('team.name')
    .where('scim_user.org_id', '=', orgId)
    .where('scim_user.user_id', '=', userId)
    .execute()
  return rows.map(({ name }) => name)
}

/** Whether the directory has made somebody inactive: nobody but an admin or the directory lets them in again. */
export async function isInactiveInDirectory(
  tx: Records,
  orgId: number,
  { userId, email }: { readonly userId: string | undefined; readonly email: string },
): Promise<boolean> {
  const row = await tx
    .selectFrom('scim_user')
    .leftJoin('member', (on) =>
      on.onRef('member.user_id', '=', 'scim_user.user_id').on('member.org_id', '=', orgId),
    )
    .select('scim_user.id')
    .where('scim_user.org_id', '=', orgId)
    .where('scim_user.is_active', '=', 0)
    .where('member.user_id', 'is', null)
    .where((eb) =>
      eb.or([
        eb.and([eb('scim_user.user_id', 'is', null), eb('scim_user.email', '=', email)]),
        ...(userId === undefined ? [] : [eb('scim_user.user_id', '=', userId)]),
      ]),
    )
    .executeTakeFirst()
  return row !== undefined
}

/** Whom the directory knew by this address has come: from now on it decides about them, and its groups hold. */
export async function joinDirectory(tx: Records, orgId: number, userId: string, atMs: number): Promise<void> {
  const known = await tx
    .selectFrom('scim_user')
    .select('id')
    .where('org_id', '=', orgId)
    .where('user_id', '=', userId)
    .executeTakeFirst()
  const waiting = known
    ? undefined
    : await tx
        .selectFrom('scim_user')
        .innerJoin('user', 'user.email', 'scim_user.email')
        .select('scim_user.id')
        .where('scim_user.org_id', '=', orgId)
        .where('scim_user.user_id', 'is', null)
        .where('user.id', '=', userId)
        // An address that nobody proved may be somebody else's, whose groups are not theirs.
        .where('user.emailVerified', '=', 1)
        .orderBy('scim_user.id')
        .executeTakeFirst()
  if (waiting)
    await tx.updateTable('scim_user').set({ user_id: userId }).where('id', '=', waiting.id).execute()
  const id = known?.id ?? waiting?.id
  if (id !== undefined) await joinTeamsOf(tx, orgId, { id, userId }, [], atMs)
}
