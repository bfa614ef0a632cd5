/** What an organization's directory makes of groups: each is a team, and each team a group. It takes no grant, as `scim-users.ts`. */
import { setImmediate as othersTurn } from 'node:timers/promises'
import type { ScimCaller } from '@sonde/access'
import { SondeError } from '@sonde/base'
import { type Records, writeTransaction } from '@sonde/stores'
import { z } from 'zod'
import { writeAuditOf } from '../audit.ts'
import type { CommandDeps } from '../command-deps.ts'
import { nameField, readInput, textField } from '../fields.ts'
import { unassignAll } from '../issues/assign-issues.ts'
import { MAX_TEAMS, slugOfName } from '../people/teams.ts'
import { roleOfGroups } from './scim-membership.ts'

type Deps = Pick<CommandDeps, 'records' | 'clock'>

/** Of one request, and of one group. */
const SCIM_MAX_MEMBERS = 10_000
/** Fewer than SQLite and PostgreSQL bind in one statement, of a row of a few values. */
const AT_ONCE = 500

const ids = z.array(z.string().min(1).max(100)).max(SCIM_MAX_MEMBERS, `are at most ${SCIM_MAX_MEMBERS}`)
const GROUP = z.object({
  displayName: nameField.optional(),
  externalId: textField(300).nullable().optional(),
  /** All that there are to be, and nobody else. */
  members: ids.optional(),
  add: ids.optional(),
  remove: ids.optional(),
})
/** What is left out stays. */
export type ScimGroupChange = z.input<typeof GROUP>

/** A team. Throws `InvalidInput`, `SondeError` (`conflict`: another group is called so; `forbidden`: too many). */
export async function createScimGroup(
  { records, clock }: Deps,
  caller: ScimCaller,
  input: ScimGroupChange & { readonly displayName: string },
): Promise<{ readonly id: number }> {
  const operation = 'create a group of the directory'
  const { displayName: name = '', externalId, members = [] } = readInput(operation, GROUP, input)
  const { orgId } = caller
  const atMs = clock.nowMs()
  await meetMembers(records, caller, members, atMs)
  const made = await writeTransaction(records, async (tx) => {
    const teams = await tx.selectFrom('team').select(['name', 'slug']).where('org_id', '=', orgId).execute()
    if (teams.length >= MAX_TEAMS)
      throw new SondeError('forbidden', `an organization has at most ${MAX_TEAMS} teams`, { operation })
    freeName(operation, teams, name)
    const slug = freeSlug(
      teams.map((team) => team.slug),
      name,
    )
    const { id } = await tx
      .insertInto('team')
      .values({ org_id: orgId, slug, name, created_ms: atMs })
      .returning('id')
      .executeTakeFirstOrThrow()
    await tx
      .insertInto('scim_group')
      .values({ team_id: id, external_id: externalId ?? null, updated_ms: atMs })
      .execute()
    await audit(tx, caller, 'team.create', slug, { teamId: id }, atMs)
    await changeMembers(tx, operation, caller, { id, slug }, { add: members }, atMs)
    return { id }
  })
  await othersTurn()
  return made
}

/** Throws as `createScimGroup`, and `not-found`. */
export async function changeScimGroup(
  { records, clock }: Deps,
  caller: ScimCaller,
  id: number,
  input: ScimGroupChange,
): Promise<void> {
  const operation = 'change a group of the directory'
  const { displayName: name, externalId, ...members } = readInput(operation, GROUP, input)
  const atMs = clock.nowMs()
  await meetMembers(records, caller, [...(members.members ?? []), ...(members.add ?? [])], atMs)
  await writeTransaction(records, async (tx) => {
    const team = await teamOf(tx, operation, caller, id)
    if (name !== undefined && name !== team.name) {
      const others = await tx
        .selectFrom('team')
        .select('name')
        .where('org_id', '=', caller.orgId)
        .where('id', '<>', id)
        .execute()
      freeName(operation, others, name)
      await tx.updateTable('team').set({ name }).where('id', '=', id).execute()
      const detail = { teamId: id, before: { slug: team.slug, name: team.name }, name }
      await audit(tx, caller, 'team.update', team.slug, detail, atMs)
    }
    const columns = { ...(externalId !== undefined && { external_id: externalId || null }), updated_ms: atMs }
    await tx
      .insertInto('scim_group')
      .values({ team_id: id, ...columns })
      .onConflict((on) => on.column('team_id').doUpdateSet(columns))
      .execute()
    await changeMembers(tx, operation, caller, team, members, atMs)
    // Another name may lead to another role.
    if (name !== undefined && name !== team.name) await followRoles(tx, caller, await peopleIn(tx, id), atMs)
  })
  await othersTurn()
}

/** Its members stay members of the organization. Throws `SondeError` (`not-found`). */
export async function deleteScimGroup(
  { records, clock }: Deps,
  caller: ScimCaller,
  id: number,
): Promise<void> {
  const operation = 'delete a group of the directory'
  const { orgId, actor } = caller
  const atMs = clock.nowMs()
  await writeTransaction(records, async (tx) => {
    const { slug } = await teamOf(tx, operation, caller, id)
    const people = await peopleIn(tx, id)
    const issues = await unassignAll(tx, { orgId, assignee: `team:${id}`, actor, atMs })
    await tx.deleteFrom('team').where('id', '=', id).execute()
    await audit(tx, caller, 'team.delete', slug, { teamId: id, ...issues }, atMs)
    await followRoles(tx, caller, people, atMs)
  })
}

type Team = { readonly id: number; readonly slug: string; readonly name: string }
type Members = { readonly [how in 'members' | 'add' | 'remove']?: readonly string[] | undefined }

/** As many statements as there are hundreds of people. */
async function changeMembers(
  tx: Records,
  operation: string,
  caller: ScimCaller,
  team: Pick<Team, 'id' | 'slug'>,
  { members, add = [], remove = [] }: Members,
  atMs: number,
): Promise<void> {
  const wanted = new Set([...(members ?? []), ...add])
  const people = await peopleOf(tx, operation, caller, [...wanted], atMs)
  const inTeam = await tx.selectFrom('team_member').select('user_id').where('team_id', '=', team.id).execute()
  const told = new Set(await peopleIn(tx, team.id))
  const gone = new Set(remove)
  const leaving = await leavingOf(tx, caller, inTeam, told, (id) =>
    members === undefined ? gone.has(id) && !wanted.has(id) : !wanted.has(id),
  )
  const already = new Set(inTeam.map(({ user_id }) => user_id))
  if (new Set([...told, ...wanted]).size - leaving.length > SCIM_MAX_MEMBERS)
    throw new SondeError('invalid', `a group has at most ${SCIM_MAX_MEMBERS} members`, {
      operation,
      subject: 'members',
    })
  const isNew = people.filter(
    ({ id, userId }) => !told.has(id) || (userId !== undefined && !already.has(userId)),
  )
  for (const some of inHundreds(isNew)) {
    await tx
      .insertInto('scim_group_member')
      .values(some.map(({ id }) => ({ team_id: team.id, scim_user_id: id })))
      .onConflict((on) => on.doNothing())
      .execute()
    const here = some.flatMap(({ userId }) => (userId === undefined ? [] : [userId]))
    if (here.length > 0)
      await tx
        .insertInto('team_member')
        .values(here.map((user_id) => ({ team_id: team.id, user_id, created_ms: atMs })))
        .onConflict((on) => on.doNothing())
        .execute()
  }
  for (const some of inHundreds(leaving)) {
    const own = some.map(({ id }) => id)
    await tx
      .deleteFrom('scim_group_member')
      .where('team_id', '=', team.id)
      .where('scim_user_id', 'in', own)
      .execute()
    const accounts = some.flatMap(({ userId }) => (userId === null ? [] : [userId]))
    if (accounts.length > 0)
      await tx
        .deleteFrom('team_member')
        .where('team_id', '=', team.id)
        .where('user_id', 'in', accounts)
        .execute()
    await forgetKept(tx, team.id, own)
  }
  const note = (action: 'team.member-add' | 'team.member-remove', who: readonly { readonly id: string }[]) =>
    who.length === 0
      ? undefined
      : audit(
          tx,
          caller,
          action,
          team.slug,
          { teamId: team.id, people: who.length, ids: who.slice(0, 50).map(({ id }) => id) },
          atMs,
        )
  await note('team.member-add', isNew)
  await note('team.member-remove', leaving)
  await followRoles(
    tx,
    caller,
    [...isNew, ...leaving].map(({ id }) => id),
    atMs,
  )
}

type Known = { readonly id: string; readonly userId: string | undefined }

/**
 * Members of whom the directory told nothing yet get their row, some at a time: SQLite does one transaction after the other,
 * and that of a large group would make everybody wait. Whoever is a member is a person of the directory, whatever follows.
 */
async function meetMembers(
  records: Records,
  caller: ScimCaller,
  wanted: readonly string[],
  atMs: number,
): Promise<void> {
  if (wanted.length <= AT_ONCE) return
  for (const some of inHundreds([...new Set(wanted)])) {
    await writeTransaction(records, (tx) => knownAmong(tx, caller, some, atMs))
    await othersTurn()
  }
}

/** Throws `SondeError` (`invalid`) for somebody whom the organization does not know. `userId`: of members alone. */
async function peopleOf(
  tx: Records,
  operation: string,
  caller: ScimCaller,
  wanted: readonly string[],
  atMs: number,
): Promise<readonly Known[]> {
  const known: Known[] = []
  for (const some of inHundreds(wanted)) known.push(...(await knownAmong(tx, caller, some, atMs)))
  if (known.length === wanted.length) return known
  const found = new Set(known.map(({ id }) => id))
  const unknown = wanted.find((id) => !found.has(id))
  throw new SondeError('invalid', `there is no person ${unknown}`, { operation, subject: 'members' })
}

async function knownAmong(
  tx: Records,
  { orgId }: ScimCaller,
  some: readonly string[],
  atMs: number,
): Promise<readonly Known[]> {
  const rows = await tx
    .selectFrom('scim_user')
    .leftJoin('member', (on) =>
      on.onRef('member.user_id', '=', 'scim_user.user_id').on('member.org_id', '=', orgId),
    )
    .select(['scim_user.id', 'member.user_id'])
    .where('scim_user.org_id', '=', orgId)
    .where('scim_user.id', 'in', some)
    .execute()
  const known = rows.map(({ id, user_id }): Known => ({ id, userId: user_id ?? undefined }))
  const found = new Set(known.map(({ id }) => id))
  const others = some.filter((id) => !found.has(id))
  if (others.length === 0) return known
  // Members of whom the directory told nothing yet.
  const members = await tx
    .selectFrom('member')
    .innerJoin('user', 'user.id', 'member.user_id')
    .leftJoin('scim_user', (on) =>
      on.onRef('scim_user.user_id', '=', 'member.user_id').on('scim_user.org_id', '=', orgId),
    )
    .select(['user.id', 'user.email', 'user.name'])
    .where('member.org_id', '=', orgId)
    .where('member.user_id', 'in', others)
    .where('scim_user.id', 'is', null)
    .execute()
  if (members.length > 0)
    await tx
      .insertInto('scim_user')
      .values(
        members.map((member) => ({ ...adopted(member), org_id: orgId, created_ms: atMs, updated_ms: atMs })),
      )
      .execute()
  return [...known, ...members.map(({ id }) => ({ id, userId: id }))]
}

const adopted = ({
  id,
  email,
  name,
}: {
  readonly id: string
  readonly email: string
  readonly name: string
}) => ({
  id,
  user_id: id,
  user_name: email,
  user_name_key: email.toLowerCase(),
  email: email.toLowerCase(),
  display_name: name,
  attributes: JSON.stringify({ displayName: name, emails: [{ value: email, type: 'work', primary: true }] }),
  is_active: 1,
  kept_teams: '[]',
})

/** Of who is in the team or was told to be: those that `isLeaving` names by the id of their resource. */
async function leavingOf(
  tx: Records,
  { orgId }: ScimCaller,
  inTeam: readonly { readonly user_id: string }[],
  told: ReadonlySet<string>,
  isLeaving: (id: string) => boolean,
): Promise<readonly { readonly id: string; readonly userId: string | null }[]> {
  const leaving = new Map<string, string | null>()
  for (const some of inHundreds(inTeam)) {
    const rows = await tx
      .selectFrom('scim_user')
      .select(['id', 'user_id'])
      .where('org_id', '=', orgId)
      .where(
        'user_id',
        'in',
        some.map(({ user_id }) => user_id),
      )
      .execute()
    const byAccount = new Map(rows.map((row) => [row.user_id, row.id]))
    for (const { user_id } of some) {
      const id = byAccount.get(user_id) ?? user_id
      if (isLeaving(id)) leaving.set(id, user_id)
    }
  }
  for (const id of told) if (isLeaving(id) && !leaving.has(id)) leaving.set(id, null)
  return [...leaving].map(([id, userId]) => ({ id, userId }))
}

/** Who is not active comes back into the teams of before, of which this is none any more. */
async function forgetKept(tx: Records, teamId: number, own: readonly string[]): Promise<void> {
  const rows = await tx
    .selectFrom('scim_user')
    .select(['id', 'kept_teams'])
    .where('id', 'in', own)
    .where('kept_teams', '<>', '[]')
    .execute()
  for (const { id, kept_teams } of rows) {
    const teams = (JSON.parse(kept_teams) as number[]).filter((team) => team !== teamId)
    await tx
      .updateTable('scim_user')
      .set({ kept_teams: JSON.stringify(teams) })
      .where('id', '=', id)
      .execute()
  }
}

/** Roles by the mapping of single sign-on. Owners stay what they are. */
async function followRoles(
  tx: Records,
  { orgId, actor, address }: ScimCaller,
  people: readonly string[],
  atMs: number,
): Promise<void> {
  const roles = await roleOfGroups(tx, orgId, people)
  for (const some of inHundreds([...roles.keys()])) {
    const rows = await tx
      .selectFrom('scim_user')
      .innerJoin('member', (on) =>
        on.onRef('member.user_id', '=', 'scim_user.user_id').on('member.org_id', '=', orgId),
      )
      .select(['scim_user.id', 'member.user_id', 'member.role'])
      .where('scim_user.id', 'in', some)
      .execute()
    for (const { id, user_id, role: before } of rows) {
      const role = roles.get(id)
      if (role === undefined || before === 'owner' || before === role) continue
      await tx
        .updateTable('member')
        .set({ role })
        .where('org_id', '=', orgId)
        .where('user_id', '=', user_id)
        .execute()
      const detail = { before, role, by: 'SCIM' }
      const entry = { orgId, actor, address, action: 'member.set', subject: user_id, detail, atMs } as const
      await writeAuditOf(tx, entry)
    }
  }
}

const peopleIn = async (tx: Records, teamId: number): Promise<readonly string[]> =>
  (
    await tx.selectFrom('scim_group_member').select('scim_user_id').where('team_id', '=', teamId).execute()
  ).map((row) => row.scim_user_id)

async function teamOf(tx: Records, operation: string, { orgId }: ScimCaller, id: number): Promise<Team> {
  const team = await tx
    .selectFrom('team')
    .select(['id', 'slug', 'name'])
    .where('org_id', '=', orgId)
    .where('id', '=', id)
    .executeTakeFirst()
  if (team) return team
  throw new SondeError('not-found', `no group ${id}`, { operation, subject: String(id) })
}

/** RFC 7643 has no case in it: https://www.rfc-editor.org/rfc/rfc7643#section-8.7.1 */
function freeName(operation: string, teams: readonly { readonly name: string }[], name: string): void {
  if (teams.every((team) => team.name.toLowerCase() !== name.toLowerCase())) return
  const message = `another group or team is called ${name}`
  throw new SondeError('conflict', message, { operation, subject: 'displayName' })
}

function freeSlug(taken: readonly string[], name: string): string {
  const base = slugOfName(name, taken).slice(0, 44).replace(/-$/, '')
  let slug = base
  for (let n = 2; taken.includes(slug); n++) slug = `${base}-${n}`
  return slug
}

function* inHundreds<Item>(all: readonly Item[]): Generator<readonly Item[]> {
  for (let from = 0; from < all.length; from += AT_ONCE) yield all.slice(from, from + AT_ONCE)
}

const audit = (
  tx: Records,
  { orgId, orgSlug, actor, address }: ScimCaller,
  action: 'team.create' | 'team.delete' | 'team.member-add' | 'team.member-remove' | 'team.update',
  slug: string,
  detail: Readonly<Record<string, unknown>>,
  atMs: number,
): Promise<void> =>
  writeAuditOf(tx, { orgId, actor, address, action, subject: `${orgSlug} #${slug}`, detail, atMs })
