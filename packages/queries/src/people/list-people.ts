import type { Grant } from '@sonde/access'
import type { Role } from '@sonde/stores'
import type { QueryDeps } from '../query-deps.ts'

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
    .orderBy('email')
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
