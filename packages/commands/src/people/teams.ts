/** Teams of an organization: what they are called, who is in them, and what they are in projects. */
import { actorOf, type Grant, mayAlso, requireToGive } from '@sonde/access'
import { SondeError } from '@sonde/base'
import { MEMBERS_SEE, type MembersSee, type Records, writeTransaction } from '@sonde/stores'
import { z } from 'zod'
import { writeAudit } from '../audit.ts'
import type { CommandDeps } from '../command-deps.ts'
import { InvalidInput, nameField, readInput, refField, slugField } from '../fields.ts'
import { unassignAll } from '../issues/assign-issues.ts'

type TeamGrant = Grant<'team:write', 'org'>
type Ref = string | number

/** Of an organization. */
export const MAX_TEAMS = 500

const teamSlugField = slugField
const CREATE = z.object({ name: nameField, slug: teamSlugField })

export type CreatedTeam = { readonly id: number; readonly slug: string; readonly name: string }

/** The slug is made of the name unless told. Throws `InvalidInput`. */
export async function createTeam(
  { records, clock }: Pick<CommandDeps, 'records' | 'clock'>,
  grant: TeamGrant,
  given: { readonly name: string; readonly slug?: string | undefined },
): Promise<CreatedTeam> {
  const operation = 'create a team'
  const atMs = clock.nowMs()
  return writeTransaction(records, async (tx) => {
    const others = await tx.selectFrom('team').select('slug').where('org_id', '=', grant.orgId).execute()
    const { name, slug } = readInput(operation, CREATE, {
      ...given,
      slug:
        given.slug ||
        slugOfName(
          given.name,
          others.map((team) => team.slug),
        ),
    })
    if (others.length >= MAX_TEAMS)
      throw new InvalidInput(operation, {
        name: [`an organization has at most ${MAX_TEAMS} teams: delete one`],
      })
    const made = await tx
      .insertInto('team')
      .values({ org_id: grant.orgId, slug, name, created_ms: atMs })
      .onConflict((on) => on.columns(['org_id', 'slug']).doNothing())
      .returning('id')
      .executeTakeFirst()
    if (!made) throw taken(operation, slug)
    await audit(tx, grant, 'team.create', slug, { teamId: made.id }, atMs)
    return { id: made.id, slug, name }
  })
}

const UPDATE = z.object({ team: refField, name: nameField.optional(), slug: teamSlugField.optional() })

/** What is left out stays. Throws `InvalidInput`, `SondeError` (`not-found`). */
export async function updateTeam(
  { records, clock }: Pick<CommandDeps, 'records' | 'clock'>,
  grant: TeamGrant,
  input: { readonly team: Ref; readonly name?: string | undefined; readonly slug?: string | undefined },
): Promise<CreatedTeam> {
  const operation = 'change a team'
  const { team: ref, name, slug } = readInput(operation, UPDATE, input)
  return writeTransaction(records, async (tx) => {
    const before = await findTeam(tx, grant, operation, ref)
    const after = { id: before.id, slug: slug ?? before.slug, name: name ?? before.name }
    if (after.slug === before.slug && after.name === before.name) return after
    const other = await tx
      .selectFrom('team')
      .select('id')
      .where('org_id', '=', grant.orgId)
      .where('slug', '=', after.slug)
      .where('id', '!=', before.id)
      .executeTakeFirst()
    if (other) throw taken(operation, after.slug)
    await tx
      .updateTable('team')
      .set({ slug: after.slug, name: after.name })
      .where('id', '=', before.id)
      .execute()
    const detail = { teamId: before.id, before: { slug: before.slug, name: before.name }, name: after.name }
    await audit(tx, grant, 'team.update', after.slug, detail, clock.nowMs())
    return after
  })
}

const DELETE = z.object({ team: refField })

/**
 * Its members stay members of the organization, its projects stay; what it was assigned is nobody's. Cannot be undone.
 * Throws `SondeError` (`not-found`).
 */
export async function deleteTeam(
  { records, clock }: Pick<CommandDeps, 'records' | 'clock'>,
  grant: Grant<'team:delete', 'org'>,
  input: { readonly team: Ref },
): Promise<{ readonly slug: string }> {
  const operation = 'delete a team'
  const { team: ref } = readInput(operation, DELETE, input)
  const { orgId, viewer } = grant
  const atMs = clock.nowMs()
  return writeTransaction(records, async (tx) => {
    const { id, slug } = await findTeam(tx, grant, operation, ref)
    const issues = await unassignAll(tx, { orgId, assignee: `team:${id}`, actor: actorOf(viewer), atMs })
    await tx.deleteFrom('team').where('id', '=', id).execute()
    await audit(tx, grant, 'team.delete', slug, { teamId: id, ...issues }, atMs)
    return { slug }
  })
}

const MEMBER = z.object({ team: refField, userId: z.string().min(1, 'is needed').max(100) })
type MemberOfTeam = { readonly team: Ref; readonly userId: string }

/**
 * Who may change teams adds whom they want; a member adds themselves where members see all projects anyway, to a team that
 * makes them no more than they are. Holds at the member's next request. Idempotent. Throws `SondeError` (`not-found`: the
 * team, or the member; `forbidden`).
 */
export async function addTeamMember(
  { records, clock }: Pick<CommandDeps, 'records' | 'clock'>,
  grant: Grant<'member:read', 'org'>,
  input: MemberOfTeam,
): Promise<{ readonly isNew: boolean }> {
  const operation = 'add a member to a team'
  const { team: ref, userId } = readInput(operation, MEMBER, input)
  const atMs = clock.nowMs()
  return writeTransaction(records, async (tx) => {
    const team = await findTeam(tx, grant, operation, ref)
    const member = await tx
      .selectFrom('member')
      .innerJoin('organization', 'organization.id', 'member.org_id')
      .select('organization.members_see')
      .where('org_id', '=', grant.orgId)
      .where('user_id', '=', userId)
      .executeTakeFirst()
    if (!member) throw new SondeError('not-found', `no member ${userId}`, { operation, subject: userId })
    const isOwn = grant.viewer.kind === 'user' && grant.viewer.userId === userId
    if (!mayAlso(grant, 'team:write') && !(isOwn && member.members_see === 'all'))
      throw new SondeError('forbidden', 'admins and owners add members to teams', {
        operation,
        subject: team.slug,
        hint: 'Ask one of them.',
      })
    await requireToGiveTeams(tx, grant, [team.id])
    const added = await tx
      .insertInto('team_member')
      .values({ team_id: team.id, user_id: userId, created_ms: atMs })
      .onConflict((on) => on.doNothing())
      .returning('team_id')
      .executeTakeFirst()
    if (added) await audit(tx, grant, 'team.member-add', team.slug, { teamId: team.id, userId }, atMs)
    return { isNew: added !== undefined }
  })
}

/** What the teams make of somebody in their projects is a role that is given. Throws like `requireToGive`. */
export async function requireToGiveTeams(
  tx: Records,
  grant: Grant<'member:read', 'org'>,
  teamIds: readonly number[],
): Promise<void> {
  if (teamIds.length === 0) return
  const roles = await tx
    .selectFrom('team_project')
    .select('role')
    .distinct()
    .where('team_id', 'in', teamIds)
    .execute()
  for (const { role } of roles) requireToGive(grant, role)
}

/** Everybody may leave. Holds at the next request. Idempotent. Throws `SondeError` (`not-found`: the team; `forbidden`). */
export async function removeTeamMember(
  { records, clock }: Pick<CommandDeps, 'records' | 'clock'>,
  grant: Grant<'member:read', 'org'>,
  input: MemberOfTeam,
): Promise<{ readonly wasMember: boolean }> {
  const operation = 'remove a member from a team'
  const { team: ref, userId } = readInput(operation, MEMBER, input)
  const isOwn = grant.viewer.kind === 'user' && grant.viewer.userId === userId
  if (!isOwn && !mayAlso(grant, 'team:write'))
    throw new SondeError('forbidden', 'admins and owners remove others from teams', {
      operation,
      subject: String(ref),
    })
  return writeTransaction(records, async (tx) => {
    const team = await findTeam(tx, grant, operation, ref)
    const removed = await tx
      .deleteFrom('team_member')
      .where('team_id', '=', team.id)
      .where('user_id', '=', userId)
      .returning('team_id')
      .executeTakeFirst()
    const detail = { teamId: team.id, userId }
    if (removed) await audit(tx, grant, 'team.member-remove', team.slug, detail, clock.nowMs())
    return { wasMember: removed !== undefined }
  })
}

/** Somebody is out of the organization: in the transaction that removes them. */
export async function leaveTeams(tx: Records, orgId: number, userId: string): Promise<void> {
  await tx
    .deleteFrom('team_member')
    .where('user_id', '=', userId)
    .where('team_id', 'in', (eb) => eb.selectFrom('team').select('id').where('org_id', '=', orgId))
    .execute()
}

export const TEAM_ROLES = ['viewer', 'member', 'admin'] as const
export type TeamRole = (typeof TEAM_ROLES)[number]
const PROJECT = z.object({
  team: refField,
  role: z.enum(TEAM_ROLES, { error: `is one of ${TEAM_ROLES.join(', ')}` }),
})
type ProjectGrant = Grant<'project:write', 'project'>

/**
 * The team has the project, and its members are at least this in it; again with another role changes that. Nobody gives more
 * than they have there. Throws `InvalidInput`, `SondeError` (`not-found`: the team; `forbidden`).
 */
export async function setTeamProject(
  { records, clock }: Pick<CommandDeps, 'records' | 'clock'>,
  grant: ProjectGrant,
  input: { readonly team: Ref; readonly role: TeamRole },
): Promise<{ readonly isNew: boolean }> {
  const operation = 'give a team a project'
  const { team: ref, role } = readInput(operation, PROJECT, input)
  return writeTransaction(records, async (tx) => {
    const team = await findTeam(tx, grant, operation, ref)
    const before = await roleOf(tx, team.id, grant.projectId)
    if (before === role) return { isNew: false }
    requireToGive(grant, role)
    if (before !== undefined) requireToGive(grant, before)
    await insertTeamProject(tx, { teamId: team.id, projectId: grant.projectId, role })
    const detail = { project: grant.projectSlug, role, ...(before !== undefined && { before }) }
    await audit(tx, grant, 'team.project-set', team.slug, { teamId: team.id, ...detail }, clock.nowMs())
    return { isNew: before === undefined }
  })
}

/** Idempotent. Throws `SondeError` (`not-found`: the team). */
export async function removeTeamProject(
  { records, clock }: Pick<CommandDeps, 'records' | 'clock'>,
  grant: ProjectGrant,
  input: { readonly team: Ref },
): Promise<void> {
  const operation = 'take a project from a team'
  const { team: ref } = readInput(operation, DELETE, input)
  await writeTransaction(records, async (tx) => {
    const team = await findTeam(tx, grant, operation, ref)
    const before = await roleOf(tx, team.id, grant.projectId)
    if (before === undefined) return
    requireToGive(grant, before)
    await tx
      .deleteFrom('team_project')
      .where('team_id', '=', team.id)
      .where('project_id', '=', grant.projectId)
      .execute()
    const detail = { teamId: team.id, project: grant.projectSlug, before }
    await audit(tx, grant, 'team.project-remove', team.slug, detail, clock.nowMs())
  })
}

async function roleOf(tx: Records, teamId: number, projectId: number): Promise<TeamRole | undefined> {
  const row = await tx
    .selectFrom('team_project')
    .select('role')
    .where('team_id', '=', teamId)
    .where('project_id', '=', projectId)
    .executeTakeFirst()
  return row?.role
}

/** In the transaction of whoever has checked it. */
export const insertTeamProject = (
  tx: Records,
  {
    teamId,
    projectId,
    role,
  }: { readonly teamId: number; readonly projectId: number; readonly role: TeamRole },
) =>
  tx
    .insertInto('team_project')
    .values({ team_id: teamId, project_id: projectId, role })
    .onConflict((on) => on.columns(['team_id', 'project_id']).doUpdateSet({ role }))
    .execute()

const SEE = z.object({ membersSee: z.enum(MEMBERS_SEE, { error: `is one of ${MEMBERS_SEE.join(', ')}` }) })

/** Which projects members and viewers see. Holds at their next request. Idempotent. Throws `InvalidInput`. */
export async function setMembersSee(
  { records, clock }: Pick<CommandDeps, 'records' | 'clock'>,
  grant: Grant<'org:write', 'org'>,
  input: { readonly membersSee: MembersSee },
): Promise<void> {
  const { membersSee } = readInput('change what members see', SEE, input)
  const { orgId, orgSlug, viewer } = grant
  await writeTransaction(records, async (tx) => {
    const changed = await tx
      .updateTable('organization')
      .set({ members_see: membersSee })
      .where('id', '=', orgId)
      .where('members_see', '!=', membersSee)
      .returning('id')
      .executeTakeFirst()
    if (!changed) return
    const action = 'organization.members-see'
    const detail = { membersSee }
    await writeAudit(tx, { orgId, viewer, action, subject: orgSlug, detail, atMs: clock.nowMs() })
  })
}

/** By slug or id. Throws `SondeError` (`not-found`). */
export async function findTeam(
  tx: Records,
  { orgId }: { readonly orgId: number },
  operation: string,
  ref: Ref,
): Promise<CreatedTeam> {
  const isId = /^\d{1,15}$/.test(String(ref))
  const row = await tx
    .selectFrom('team')
    .select(['id', 'slug', 'name'])
    .where('org_id', '=', orgId)
    .where(isId ? 'id' : 'slug', '=', isId ? Number(ref) : String(ref))
    .executeTakeFirst()
  if (row) return row
  throw new SondeError('not-found', `no team called "${ref}"`, { operation, subject: String(ref) })
}

/** `Web & Mobile` → `web-mobile`, `Équipe` → `equipe`; `検索`, of which no letter can be in a slug: the first free `team-1`. */
export function slugOfName(name: string, taken: readonly string[]): string {
  const slug = name
    .toLowerCase()
    .normalize('NFKD')
    // What NFKD took off its letter: "é" is "e" and an accent.
    .replaceAll(/\p{M}+/gu, '')
    .replaceAll(/[^a-z0-9]+/g, '-')
    .replace(/^-/, '')
    .slice(0, MAX_SLUG)
    .replace(/-$/, '')
  if (slug !== '' || name.trim() === '') return /^\d+$/.test(slug) ? `team-${slug}`.slice(0, MAX_SLUG) : slug
  for (let at = 1; ; at += 1) if (!taken.includes(`team-${at}`)) return `team-${at}`
}

/** As `slugField` allows. */
const MAX_SLUG = 50

const taken = (operation: string, slug: string): InvalidInput =>
  new InvalidInput(operation, { slug: [`another team is called ${slug}`] })

type TeamAction =
  | 'team.create'
  | 'team.update'
  | 'team.delete'
  | 'team.member-add'
  | 'team.member-remove'
  | 'team.project-set'
  | 'team.project-remove'

const audit = (
  tx: Records,
  { orgId, orgSlug, viewer }: Pick<TeamGrant, 'orgId' | 'orgSlug' | 'viewer'>,
  action: TeamAction,
  slug: string,
  detail: Readonly<Record<string, unknown>>,
  atMs: number,
): Promise<void> => writeAudit(tx, { orgId, viewer, action, subject: `${orgSlug} #${slug}`, detail, atMs })
