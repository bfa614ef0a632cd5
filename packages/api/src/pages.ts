/** The pages of lists, as the header `Link` says them. */
import { offsetOf, offsetPage, type Page, pageLimit, parseCursor, SearchError } from '@sonde/queries'
import type { ApiContext } from './api-context.ts'
import { pageInput, PageQuery } from './query-schemas.ts'

// Pagination of Sentry's public API: both relations are always there, also without results, and clients follow `next`
// only with `results="true"` (https://docs.sentry.io/api/pagination/).

/** Sets `Link`. The other parameters of the request stay in the addresses. */
export function setLink(c: ApiContext, publicUrl: string, page: Omit<Page<unknown>, 'rows'>): void {
  const link = (rel: 'previous' | 'next'): string => {
    const { cursor, hasResults } = page[rel]
    const request = new URL(c.req.url)
    const url = new URL(request.pathname, publicUrl)
    url.search = request.search
    url.searchParams.set('cursor', cursor)
    return `<${url.href}>; rel="${rel}"; results="${hasResults}"; cursor="${cursor}"`
  }
  c.header('link', `${link('previous')}, ${link('next')}`)
}

/** `Link` for an answer that is never more than one page. */
export const setSinglePage = (c: ApiContext, publicUrl: string): void => {
  setLink(c, publicUrl, {
    previous: { cursor: '0:0:1', hasResults: false },
    next: { cursor: '0:100:0', hasResults: false },
  })
}

// Pages of lists that are short enough to be read whole.

/** A hundred rows unless the request wants fewer. Sets `Link`. Throws `SearchError` for a cursor that is none. */
export function setPage<Row>(c: ApiContext, publicUrl: string, all: readonly Row[]): readonly Row[] {
  const asked = pageInput(PageQuery.parse(c.req.query()))
  const cursor = parseCursor(asked.cursor)
  if (cursor === undefined) throw new SearchError(`cursor "${asked.cursor}" is not one of ours`, 0)
  const limit = pageLimit(asked.limit, 100)
  const offset = offsetOf(cursor)
  const page = offsetPage(all.slice(offset, offset + limit + 1), cursor, limit)
  setLink(c, publicUrl, page)
  return page.rows
}
