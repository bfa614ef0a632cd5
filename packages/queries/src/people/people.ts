import type { Grant } from '@sonde/access'
import { peopleSee, type Role } from '@sonde/stores'
import type { QueryDeps } from '../query-deps.ts'

export type MemberRow = {
  readonly userId: string
  readonly email: string
  readonly name: string
  readonly role: Role
  /** Of the account: this person can sign in nowhere. */
  readonly isDisabled: boolean
  readonly hasTwoFactor: boolean
  /** To this organization. */
  readonly addedMs: number
  /** Of the account. */
  readonly createdMs: number
  /** In whichever organization, exact to the hour; undefined: never. */
  readonly lastSeenMs: number | undefined
  /** Those of this organization, by slug. */
  readonly teams: readonly MemberTeam[]
}

export type MemberTeam = { readonly id: number; readonly slug: string; readonly name: string }

const RANK: Readonly<Record<Role, number>> = { owner: 0, admin: 1, member: 2, viewer: 3 }

/** All members of an organization, or those who see a project of it: owners first, then by address. */
export async function listMembers(
  { records }: Pick<QueryDeps, 'records'>,
  grant: Grant<'member:read', 'org' | 'project'>,
): Promise<readonly MemberRow[]> {
  const rows = await records
    .selectFrom('member')
    .innerJoin('user', 'user.id', 'member.user_id')
    .select(['user.id', 'user.email', 'user.name', 'user.disabledMs', 'user.twoFactorEnabled'])
    .select(['user.createdAt', 'user.lastSeenMs', 'member.role', 'member.created_ms'])
    .where('member.org_id', '=', grant.orgId)
    .$if('projectId' in grant, (query) => query.where(peopleSee('projectId' in grant ? grant.projectId : 0)))
    .orderBy('user.email')
    .execute()
  const inTeams = await records
    .selectFrom('team_member')
    .innerJoin('team', 'team.id', 'team_member.team_id')
    .select(['team_member.user_id', 'team.id', 'team.slug', 'team.name'])
    .where('team.org_id', '=', grant.orgId)
    .orderBy('team.slug')
    .execute()
  const teams = Map.groupBy(inTeams, (row) => row.user_id)
  return rows
    .map((row) => ({
      userId: row.id,
      email: row.email,
      name: row.name,
      role: row.role,
      isDisabled: row.disabledMs !== null,
      hasTwoFactor: row.twoFactorEnabled === 1,
      addedMs: row.created_ms,
      createdMs: Date.parse(row.createdAt),
      lastSeenMs: row.lastSeenMs ?? undefined,
      teams: (teams.get(row.id) ?? []).map(({ id, slug, name }) => ({ id, slug, name })),
    }))
    .toSorted((a, b) => RANK[a.role] - RANK[b.role])
}

export type PersonRow = {
  readonly userId: string
  readonly email: string
  readonly name: string
  readonly isOperator: boolean
  readonly isDisabled: boolean
  readonly hasTwoFactor: boolean
  readonly createdMs: number
  /** Exact to the hour; undefined: never. */
  readonly lastSeenMs: number | undefined
  /** In slug order. */
  readonly memberships: readonly { readonly orgSlug: string; readonly role: Role }[]
}

/** Everybody who has an account, in the order of their addresses. */
export async function listPeople(
  { records }: Pick<QueryDeps, 'records'>,
  _grant: Grant<'operate', 'operator'>,
): Promise<readonly PersonRow[]> {
  const people = await records
    .selectFrom('user')
    .select([
      'id',
      'email',
      'name',
      'isOperator',
      'disabledMs',
      'twoFactorEnabled',
      'createdAt',
      'lastSeenMs',
    ])
    .orderBy('user.email')
    .execute()
  const members = await records
    .selectFrom('member')
    .innerJoin('organization', 'organization.id', 'member.org_id')
    .select(['member.user_id', 'member.role', 'organization.slug'])
    .orderBy('organization.slug')
    .execute()
  const byUser = Map.groupBy(members, (member) => member.user_id)
  return people.map((person) => ({
    userId: person.id,
    email: person.email,
    name: person.name,
    isOperator: person.isOperator === 1,
    isDisabled: person.disabledMs !== null,
    hasTwoFactor: person.twoFactorEnabled === 1,
    createdMs: Date.parse(person.createdAt),
    lastSeenMs: person.lastSeenMs ?? undefined,
    memberships: (byUser.get(person.id) ?? []).map(({ slug, role }) => ({ orgSlug: slug, role })),
  }))
}
