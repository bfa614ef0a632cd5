/** What the address of a list of issues says, and how its links change it. */
import { DEFAULT_QUERY, type IssueSort } from '@sonde/queries/contract'
import { type IssueListSearch, paths } from '../../paths.ts'
import { addressText, addressTime } from '../../shell/time-range.ts'

export const SORTS = [
  { id: 'date', name: 'Last seen' },
  { id: 'new', name: 'First seen' },
  { id: 'freq', name: 'Events' },
  { id: 'user', name: 'Users' },
  { id: 'priority', name: 'Priority' },
] as const satisfies readonly { readonly id: IssueSort; readonly name: string }[]
export type Sort = IssueSort

export const STATUSES = [
  { id: 'unresolved', name: 'Unresolved' },
  { id: 'resolved', name: 'Resolved' },
  { id: 'ignored', name: 'Ignored' },
  { id: 'all', name: 'All' },
] as const
/** Tabs beside those of the states: each is one whole query. */
export const VIEWS = [
  { query: 'is:unresolved is:for_review', name: 'For review' },
  { query: 'is:unresolved assigned:[me, my_teams]', name: 'Assigned to me' },
] as const
export const isView = (query: string): boolean => VIEWS.some((view) => view.query === query.trim())

type StatusFilter = (typeof STATUSES)[number]['id']

export type ListSearch = {
  readonly query: string
  readonly sort: Sort
  /** `24h`, `14d`; empty: all time. */
  readonly statsPeriod: string
  /** ISO times, both or neither; then there is no period. */
  readonly start: string | undefined
  readonly end: string | undefined
  /** Only events of these; none: of all. */
  readonly environments: readonly string[]
  readonly cursor: string | undefined
  /** What the list begins with when its address says nothing. */
  readonly usual: UsualSearch
}

export type UsualSearch = { readonly query: string; readonly sort: Sort }
const PRODUCT_DEFAULT: UsualSearch = { query: DEFAULT_QUERY, sort: 'date' }

const readSort = (text: string | null | undefined): Sort | undefined =>
  SORTS.find(({ id }) => id === text)?.id

/** Of a saved search: an order that is gone is as none. */
export const usualOf = ({ query, sort }: { readonly query: string; readonly sort: string }): UsualSearch => ({
  query,
  sort: readSort(sort) ?? 'date',
})

const PERIOD = /^[1-9]\d{0,3}[mhdw]$/
const MAX_ENVIRONMENTS = 50

/**
 * Unknown sorts and periods fall back: an old link should show a list, not an error. `usual`: the default search of whoever
 * asks. An address with a search of its own has the product's order, whatever the default one's is.
 */
export function readListSearch(params: URLSearchParams, usual: UsualSearch = PRODUCT_DEFAULT): ListSearch {
  const period = params.get('statsPeriod') ?? ''
  const [fromMs, toMs] = [addressTime(params.get('start')), addressTime(params.get('end'))]
  const range =
    fromMs !== undefined && toMs !== undefined && fromMs < toMs
      ? { start: addressText(fromMs), end: addressText(toMs) }
      : { start: undefined, end: undefined }
  const environments = new Set(params.getAll('environment').filter((name) => name !== ''))
  return {
    query: params.get('query') ?? usual.query,
    sort: readSort(params.get('sort')) ?? (params.has('query') ? PRODUCT_DEFAULT.sort : usual.sort),
    statsPeriod: PERIOD.test(period) && range.start === undefined ? period : '',
    ...range,
    environments: [...environments].slice(0, MAX_ENVIRONMENTS),
    cursor: params.get('cursor') ?? undefined,
    usual,
  }
}

/** For `listPath`: defaults are left out, and another list begins at its first page. */
export function toSearch(search: ListSearch, change: Partial<ListSearch> = {}): IssueListSearch {
  const { query, sort, cursor, usual, ...rest } = { ...search, cursor: undefined, ...change }
  const isUsual = query.trim() === usual.query.trim()
  return {
    ...rest,
    query: isUsual ? undefined : query,
    sort: sort === (isUsual ? usual.sort : PRODUCT_DEFAULT.sort) ? undefined : sort,
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
  const rest = isView(query) ? '' : query.replaceAll(STATUS_TERM, '').trim()
  return status === 'all' ? rest : `is:${status} ${rest}`.trim()
}

export type ShownSaved = {
  /** What the shown search is saved as. */
  readonly shown: { readonly id: number; readonly name: string; readonly isDefault: boolean } | undefined
  /** With what the lists of whoever looks begin; undefined: with what is unresolved. */
  readonly defaultName: string | undefined
}

/** Whose issues a list shows: one project's, or all of an organization's. */
export type ListPlace = {
  readonly org: string
  /** Undefined: every project of the organization. */
  readonly project: string | undefined
}

export const listPath = ({ org, project }: ListPlace, search: IssueListSearch = {}): string =>
  project === undefined ? paths.orgIssues(org, search) : paths.issues(org, project, search)

/** Server-sent events: `changes` whenever something of the list was stored. */
export const livePath = ({ org, project }: ListPlace): string =>
  `/api/0/organizations/${encodeURIComponent(org)}/live/` +
  (project === undefined ? '' : `?project=${encodeURIComponent(project)}`)

export const suggestionsPath = (place: ListPlace): string => `${listPath(place)}/suggestions`

/** The list with this search, whatever its usual one is. Environment and period stay. */
export const searchPath = (
  place: ListPlace,
  search: ListSearch,
  { query, sort }: { readonly query: string; readonly sort: string },
): string => listPath(place, toSearch(search, { query, sort: readSort(sort) ?? 'date' }))
