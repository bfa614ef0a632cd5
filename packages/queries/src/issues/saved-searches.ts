/** Searches that somebody may choose from: those they pinned, in their order; then their own, then the organization's, each by name. */
import type { Grant } from '@sonde/access'
import { personOf } from '../person-of.ts'
import type { QueryDeps } from '../query-deps.ts'
import { searchProblem } from '../search/search-problem.ts'

export type SavedSearch = {
  readonly id: number
  readonly name: string
  readonly query: string
  readonly sort: string
  readonly isShared: boolean
  /** The lists of whoever asks begin with it. */
  readonly isDefault: boolean
  /** Whoever asks has it on top. */
  readonly isPinned: boolean
  readonly createdMs: number
  /** Why the list would refuse it: fields and values may be read otherwise than when it was saved. */
  readonly problem: string | undefined
}

type ReadGrant = Grant<'event:read', 'org' | 'project'>

/** With whether the list would read each of them. */
export async function savedSearches(
  deps: Pick<QueryDeps, 'records' | 'clock'>,
  grant: ReadGrant,
): Promise<readonly SavedSearch[]> {
  const rows = await savedSearchRows(deps, grant)
  return rows.map((row) => ({ ...row, problem: searchProblem(deps, grant, row.query) }))
}

/** One read; at most 200 rows. */
export async function savedSearchRows(
  { records }: Pick<QueryDeps, 'records'>,
  { orgId, viewer }: ReadGrant,
): Promise<readonly Omit<SavedSearch, 'problem'>[]> {
  const userId = personOf(viewer) ?? ''
  const rows = await records
    .selectFrom('saved_search')
    .leftJoin('default_search', (join) =>
      join
        .onRef('default_search.saved_search_id', '=', 'saved_search.id')
        .on('default_search.user_id', '=', userId),
    )
    .leftJoin('pinned_search', (join) =>
      join
        .onRef('pinned_search.saved_search_id', '=', 'saved_search.id')
        .on('pinned_search.user_id', '=', userId),
    )
    .selectAll('saved_search')
    .select(['default_search.user_id as default_of', 'pinned_search.position'])
    .where('saved_search.org_id', '=', orgId)
    .where('saved_search.deleted_ms', 'is', null)
    .where((eb) => eb.or([eb('saved_search.user_id', 'is', null), eb('saved_search.user_id', '=', userId)]))
    .execute()
  const placeOf = (position: number | null): number => position ?? Number.POSITIVE_INFINITY
  return rows
    .toSorted((a, b) => {
      if (a.position !== b.position) return placeOf(a.position) - placeOf(b.position)
      const sharedLast = Number(a.user_id === null) - Number(b.user_id === null)
      return sharedLast || a.name.localeCompare(b.name)
    })
    .map((row) => ({
      id: row.id,
      name: row.name,
      query: row.query,
      sort: row.sort,
      isShared: row.user_id === null,
      isDefault: row.default_of !== null,
      isPinned: row.position !== null,
      createdMs: row.created_ms,
    }))
}
