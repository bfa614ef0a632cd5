import type { Grant } from '@sonde/access'
import type { Role } from '@sonde/stores'
import type { QueryDeps } from '../query-deps.ts'

export type MemberRow = {
  readonly userId: string
  readonly email: string
  readonly name: string
  readonly role: Role
  /** Of the account: this person can sign in nowhere. */
  readonly isDisabled: boolean
  readonly hasTwoFactor: boolean
  /** To this organisation. */
  readonly addedMs: number
  /** Of the account. */
  readonly createdMs: number
  /** In whichever organisation, exact to the hour; undefined: never. */
  readonly lastSeenMs: number | undefined
}

const RANK: Readonly<Record<Role, number>> = { owner: 0, admin: 1, member: 2, viewer: 3 }

/** All members of an organisation: owners first, then by address. */
export async function listMembers(
  { records }: Pick<QueryDeps, 'records'>,
  grant: Grant<'member:read', 'org'>,
): Promise<readonly MemberRow[]> {
  const rows = await records
    .selectFrom('member')
    .innerJoin('user', 'user.id', 'member.user_id')
    .select(['user.id', 'user.email', 'user.name', 'user.disabledMs', 'user.twoFactorEnabled'])
    .select(['user.createdAt', 'user.lastSeenMs', 'member.role', 'member.created_ms'])
    .where('member.org_id', '=', grant.orgId)
    .orderBy('user.email')
    .execute()
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
    }))
    .toSorted((a, b) => RANK[a.role] - RANK[b.role])
}
