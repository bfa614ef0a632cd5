/** Searches that somebody may choose from: their own first, then the organization's, each by name. */
import type { Grant } from '@sonde/access'
import { personOf } from '../person-of.ts'
import type { QueryDeps } from '../query-deps.ts'

export type SavedSearch = {
  readonly id: number
  readonly name: string
  readonly query: string
  readonly sort: string
  readonly isShared: boolean
  /** The lists of whoever asks begin with it. */
  readonly isDefault: boolean
  readonly createdMs: number
}

export async function savedSearches(
  { records }: Pick<QueryDeps, 'records'>,
  { orgId, viewer }: Grant<'event:read', 'org' | 'project'>,
): Promise<readonly SavedSearch[]> {
  const userId = personOf(viewer) ?? ''
  const rows = await records
    .selectFrom('saved_search')
    .leftJoin('default_search', (join) =>
      join
        .onRef('default_search.saved_search_id', '=', 'saved_search.id')
        .on('default_search.user_id', '=', userId),
    )
    .selectAll('saved_search')
    .select('default_search.user_id as default_of')
    .where('saved_search.org_id', '=', orgId)
    .where((eb) => eb.or([eb('saved_search.user_id', 'is', null), eb('saved_search.user_id', '=', userId)]))
    .execute()
  return rows
    .map((row) => ({
      id: row.id,
      name: row.name,
      query: row.query,
      sort: row.sort,
      isShared: row.user_id === null,
      isDefault: row.default_of !== null,
      createdMs: row.created_ms,
    }))
    .toSorted((a, b) => Number(a.isShared) - Number(b.isShared) || a.name.localeCompare(b.name))
}
