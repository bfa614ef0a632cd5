/** What the address of a list of issues says, and how its links change it. */
export const SORTS = [
  { id: 'date', name: 'Last seen' },
  { id: 'new', name: 'First seen' },
  { id: 'freq', name: 'Events' },
  { id: 'user', name: 'Users' },
] as const
export type Sort = (typeof SORTS)[number]['id']

export const PERIODS = [
  { id: '', name: 'All time' },
  { id: '1h', name: 'Last hour' },
  { id: '24h', name: 'Last 24 hours' },
  { id: '7d', name: 'Last 7 days' },
  { id: '14d', name: 'Last 14 days' },
  { id: '30d', name: 'Last 30 days' },
] as const

export const STATUSES = [
  { id: 'unresolved', name: 'Unresolved' },
  { id: 'resolved', name: 'Resolved' },
  { id: 'ignored', name: 'Ignored' },
  { id: 'all', name: 'All' },
] as const
export type StatusFilter = (typeof STATUSES)[number]['id']

export const DEFAULT_QUERY = 'is:unresolved'

export type ListSearch = {
  readonly query: string
  readonly sort: Sort
  readonly period: string
  readonly cursor: string | undefined
}

/** Unknown sorts and periods fall back: an old link should show a list, not an error. */
export function readListSearch(params: URLSearchParams): ListSearch {
  const sort = SORTS.find(({ id }) => id === params.get('sort'))?.id ?? 'date'
  const period = PERIODS.find(({ id }) => id === params.get('period'))?.id ?? ''
  return {
    query: params.get('query') ?? DEFAULT_QUERY,
    sort,
    period,
    cursor: params.get('cursor') ?? undefined,
  }
}

/** For `paths.issues`: defaults are left out, and another list begins at its first page. */
export function toSearch(search: ListSearch, change: Partial<ListSearch> = {}) {
  const { query, sort, period, cursor } = { ...search, cursor: undefined, ...change }
  return {
    query: query.trim() === DEFAULT_QUERY ? undefined : query,
    sort: sort === 'date' ? undefined : sort,
    period,
    cursor,
  }
}

// The whole term, at a word's beginning; other uses of `is:` (is:new, is:unhandled) stay.
const STATUS_TERM = /(^|\s)(!?)is:(unresolved|resolved|ignored|archived)(?=\s|$)/g

/** Undefined when the query says it in a way that no tab stands for: twice, or negated. */
export function statusOf(query: string): StatusFilter | undefined {
  const found = [...query.matchAll(STATUS_TERM)]
  if (found.length === 0) return 'all'
  const [, , negation, name] = found[0] ?? []
  if (found.length > 1 || negation === '!') return undefined
  return name === 'archived' ? 'ignored' : STATUSES.find(({ id }) => id === name)?.id
}

/** The same query for issues of another status. */
export function withStatus(query: string, status: StatusFilter): string {
  const rest = query.replaceAll(STATUS_TERM, '').trim()
  return status === 'all' ? rest : `is:${status} ${rest}`.trim()
}
