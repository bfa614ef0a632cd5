/** Pages of lists that are short enough to be read whole. */
import { offsetOf, offsetPage, pageLimit, parseCursor, SearchError } from '@sonde/queries'
import type { ApiContext } from './api-context.ts'
import { setLink } from './link-header.ts'
import { limitParam } from './request-params.ts'

/** A hundred rows unless the request wants fewer. Sets `Link`. Throws `SearchError` for a cursor that is none. */
export function setPage<Row>(c: ApiContext, publicUrl: string, all: readonly Row[]): readonly Row[] {
  const text = c.req.query('cursor')
  const cursor = parseCursor(text)
  if (cursor === undefined) throw new SearchError(`cursor "${text}" is not one of ours`, 0)
  const limit = pageLimit(limitParam(c), 100)
  const offset = offsetOf(cursor)
  const page = offsetPage(all.slice(offset, offset + limit + 1), cursor, limit)
  setLink(c, publicUrl, page)
  return page.rows
}
