/** `/api/0/…/releases/`. */
import type { Grant } from '@sonde/access'
import { FIRST_PAGE, offsetOf, offsetPage, type Page, pageLimit, parseCursor } from '../../cursor.ts'
import type { QueryDeps } from '../../query-deps.ts'
import { SearchError } from '../../search/search-error.ts'
import { knownReleases } from './known-releases.ts'
import { type ReleaseRow, releaseRows } from './release-rows.ts'

/** `semver`: their order; `date`: when they were first heard of. The latest first. */
export const RELEASE_SORTS = ['date', 'semver'] as const
export type ReleaseSort = (typeof RELEASE_SORTS)[number]

export type ListReleasesInput = {
  /** A part of the version, in any case. */
  readonly query?: string | undefined
  readonly sort?: ReleaseSort | undefined
  /** `open` unless given. */
  readonly status?: 'open' | 'archived' | undefined
  readonly limit?: number | undefined
  readonly cursor?: string | undefined
}

/** Throws `SearchError` for a cursor that is none. */
export async function listReleases(
  deps: Pick<QueryDeps, 'records'>,
  grant: Grant<'event:read' | 'project:read', 'org' | 'project'>,
  { query = '', sort = 'date', status = 'open', limit, cursor }: ListReleasesInput = {},
): Promise<Page<ReleaseRow>> {
  const at = cursor === undefined ? FIRST_PAGE : parseCursor(cursor)
  if (at === undefined) throw new SearchError(`cursor "${cursor}" is not one of ours`, 0)
  const rowLimit = pageLimit(limit)
  const wanted = query.trim().toLowerCase()
  const found = (await knownReleases(deps, grant))
    .filter((release) => release.status === status && release.version.toLowerCase().includes(wanted))
    .toReversed()
  const sorted = sort === 'semver' ? found : found.toSorted((a, b) => b.firstSeenMs - a.firstSeenMs)
  const page = offsetPage(sorted.slice(offsetOf(at), offsetOf(at) + rowLimit + 1), at, rowLimit)
  return { ...page, rows: await releaseRows(deps, grant, page.rows) }
}
