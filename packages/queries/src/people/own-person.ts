/** The person who asks, or who made the token that asks. */
import type { Viewer } from '@sonde/access'
import { personOf } from '../person-of.ts'
import type { QueryDeps } from '../query-deps.ts'

export type OwnPerson = { readonly id: string; readonly email: string; readonly name: string }

/** Undefined for a token that belongs to an organization. */
export async function ownPerson(
  { records }: Pick<QueryDeps, 'records'>,
  viewer: Viewer,
): Promise<OwnPerson | undefined> {
  const id = personOf(viewer)
  if (id === undefined) return undefined
  return records.selectFrom('user').select(['id', 'email', 'name']).where('id', '=', id).executeTakeFirst()
}
