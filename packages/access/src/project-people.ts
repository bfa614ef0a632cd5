/**
 * Who may see a project, and the names under which comments mention them. Whoever suggests, finds or tells people about an issue
 * asks here, so that a name leads nobody to what they may not open.
 */
import { peopleSee, type Records } from '@sonde/stores'

export type ProjectPerson = {
  readonly userId: string
  /** The address where they gave no name. */
  readonly name: string
  readonly email: string
  /** `@ada`, or `@ada@example.com` where two have the same name before the `@`. In lower case. */
  readonly handle: string
}

/** Without who is disabled; by address. One read along the organization's members. */
export async function peopleOfProject(
  records: Records,
  { orgId, projectId }: { readonly orgId: number; readonly projectId: number },
): Promise<readonly ProjectPerson[]> {
  const rows = await records
    .selectFrom('member')
    .innerJoin('user', 'user.id', 'member.user_id')
    .select(['user.id', 'user.name', 'user.email'])
    .where('member.org_id', '=', orgId)
    .where('user.disabledMs', 'is', null)
    .where(peopleSee(projectId))
    .orderBy('user.email')
    .execute()
  const localOf = (email: string): string => email.slice(0, email.lastIndexOf('@')).toLowerCase()
  const sharing = Map.groupBy(rows, ({ email }) => localOf(email))
  return rows.map(({ id, name, email }) => {
    const local = localOf(email)
    const isAlone = sharing.get(local)?.length === 1 && HANDLE.test(local)
    return { userId: id, name: name || email, email, handle: `@${isAlone ? local : email.toLowerCase()}` }
  })
}

/** What can be typed after `@` without its end being unclear. */
const HANDLE = /^[\w+-](?:[\w.+-]{0,62}[\w+])?$/
