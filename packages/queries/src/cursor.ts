/**
 * Cursors of Sentry's public API, `value:offset:is_prev` (https://docs.sentry.io/api/pagination/), opaque to clients.
 * A value of 0 means plain counting of rows (`0:100:0` skips a hundred); any other value is the sort key of the row
 * at the page's edge with that row's id in the middle, so pages stay put while new rows arrive on top.
 */
export type Cursor =
  | { readonly kind: 'offset'; readonly offset: number; readonly isPrevious: boolean }
  | { readonly kind: 'key'; readonly value: number; readonly id: number; readonly isPrevious: boolean }

const FORM = /^(\d{1,15}):(\d{1,15}):([01])$/
export const FIRST_PAGE: Cursor = { kind: 'offset', offset: 0, isPrevious: false }

/** Undefined for text that is not a cursor; the first page for none. */
export function parseCursor(text: string | undefined): Cursor | undefined {
  if (text === undefined || text === '') return FIRST_PAGE
  const match = FORM.exec(text)
  if (!match) return undefined
  const [value, middle, isPrevious] = [Number(match[1]), Number(match[2]), match[3] === '1']
  return value === 0
    ? { kind: 'offset', offset: middle, isPrevious }
    : { kind: 'key', value, id: middle, isPrevious }
}

export const formatCursor = (cursor: Cursor): string =>
  cursor.kind === 'offset'
    ? `0:${cursor.offset}:${Number(cursor.isPrevious)}`
    : `${cursor.value}:${cursor.id}:${Number(cursor.isPrevious)}`

/** A page of rows with the way on. Both cursors are always there, as in the `Link` header; the flags say if they lead anywhere. */
export type Page<Row> = {
  readonly rows: readonly Row[]
  readonly previous: { readonly cursor: string; readonly hasResults: boolean }
  readonly next: { readonly cursor: string; readonly hasResults: boolean }
}

/** `rows` holds one more than `limit` when there are more. */
export function offsetPage<Row>(rows: readonly Row[], cursor: Cursor, limit: number): Page<Row> {
  const offset = offsetOf(cursor)
  return {
    rows: rows.slice(0, limit),
    previous: {
      cursor: formatCursor({ kind: 'offset', offset: Math.max(0, offset - limit), isPrevious: true }),
      hasResults: offset > 0,
    },
    next: {
      cursor: formatCursor({ kind: 'offset', offset: offset + limit, isPrevious: false }),
      hasResults: rows.length > limit,
    },
  }
}

export const offsetOf = (cursor: Cursor): number => (cursor.kind === 'offset' ? cursor.offset : 0)

/** Clients may ask for anything; a page has 1 to 100 rows. */
export const pageLimit = (limit: number | undefined, fallback = 25): number =>
  Math.min(100, Math.max(1, Math.trunc(limit ?? fallback) || fallback))
