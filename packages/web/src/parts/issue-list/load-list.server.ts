/** What both lists of issues show: a project's, and the one over all projects of an organization. */
import type { Grant } from '@sonde/access'
import { type IssuePage, listIssues, savedSearchRows, SearchError, searchSuggestions } from '@sonde/queries'
import type { LoadArgs } from '@sonde/router/server'
import type { AppContext } from '../../server/app-context.server.ts'
import { type ListSearch, readListSearch, usualOf } from './list-search.ts'

/** What the address asks for, where the list of whoever asks begins, and what the shown search is saved as. */
export async function listSearchOf(
  { context, url }: Pick<LoadArgs<AppContext>, 'context' | 'url'>,
  grant: Grant<'event:read', 'org' | 'project'>,
) {
  const kept = await savedSearchRows(context.queries, grant)
  const opening = kept.find(({ isDefault }) => isDefault)
  const search = readListSearch(url.searchParams, opening && usualOf(opening))
  const saved = kept.find(({ query, sort }) => query === search.query.trim() && sort === search.sort)
  return {
    search,
    saved: {
      /** Undefined: the shown search is not saved. */
      shown: saved && { id: saved.id, name: saved.name, isDefault: saved.isDefault },
      defaultName: opening?.name,
    },
  }
}

/** Few enough to be read in one look at a screen, and for a page of 50 links to be drawn at once. */
export const ROWS = 50

export type Refusal = {
  readonly message: string
  readonly hint?: string
  /** Where in the query, in UTF-16 units. */
  readonly at: number
}
/** For `DataOf`: what both lists' loads have. */
export type ListLoad = () => Promise<Listed>
type Listed = { readonly page?: IssuePage; readonly refusal?: Refusal }

/** A search that cannot be understood is answered beside the field, with the list left empty. */
export async function issuesOrRefusal(
  { queries }: Pick<AppContext, 'queries'>,
  grant: Grant<'event:read', 'org' | 'project'>,
  search: ListSearch,
): Promise<Listed> {
  const { query, sort, statsPeriod, start, end, environments, cursor } = search
  try {
    return {
      page: await listIssues(queries, {
        grant,
        query,
        sort,
        statsPeriod,
        start,
        end,
        environments,
        cursor,
        limit: ROWS,
      }),
    }
  } catch (error) {
    return { refusal: refusalOf(error) }
  }
}

/** Throws on what is not a refused search. */
function refusalOf(error: unknown): Refusal {
  if (!(error instanceof SearchError)) throw error
  const { message, at, hint } = error
  return { message, at, ...(hint === undefined ? {} : { hint }) }
}

const MAX_SUGGESTIONS = 12

/** Answers the search field: what to offer at its cursor, as JSON. */
export async function answerSuggestions(
  { context, url }: Pick<LoadArgs<AppContext>, 'context' | 'url'>,
  grant: Grant<'event:read', 'org' | 'project'>,
): Promise<Response> {
  const { statsPeriod } = readListSearch(url.searchParams)
  const text = url.searchParams.get('text') ?? ''
  const cursor = Number(url.searchParams.get('cursor') ?? text.length)
  try {
    const found = await searchSuggestions(context.queries, grant, {
      text,
      cursor: Number.isSafeInteger(cursor) ? cursor : text.length,
      limit: MAX_SUGGESTIONS,
      ...(statsPeriod === '' ? {} : { statsPeriod }),
    })
    return Response.json(found, { headers: { 'cache-control': 'private, no-store' } })
  } catch (error) {
    return Response.json(refusalOf(error), { status: 400, headers: { 'cache-control': 'no-store' } })
  }
}
