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
}

const PERIOD = /^[1-9]\d{0,3}[mhdw]$/
const MAX_ENVIRONMENTS = 50

/** Unknown sorts and periods fall back: an old link should show a list, not an error. */
export function readListSearch(params: URLSearchParams): ListSearch {
  const period = params.get('statsPeriod') ?? ''
  const [fromMs, toMs] = [addressTime(params.get('start')), addressTime(params.get('end'))]
  const range =
    fromMs !== undefined && toMs !== undefined && fromMs < toMs
      ? { start: addressText(fromMs), end: addressText(toMs) }
      : { start: undefined, end: undefined }
  const environments = new Set(params.getAll('environment').filter((name) => name !== ''))
  return {
    query: params.get('query') ?? DEFAULT_QUERY,
    sort: SORTS.find(({ id }) => id === params.get('sort'))?.id ?? 'date',
    statsPeriod: PERIOD.test(period) && range.start === undefined ? period : '',
    ...range,
    environments: [...environments].slice(0, MAX_ENVIRONMENTS),
    cursor: params.get('cursor') ?? undefined,
  }
}

/** For `listPath`: defaults are left out, and another list begins at its first page. */
export function toSearch(search: ListSearch, change: Partial<ListSearch> = {}): IssueListSearch {
  const { query, sort, cursor, ...rest } = { ...search, cursor: undefined, ...change }
  return {
    ...rest,
    query: query.trim() === DEFAULT_QUERY ? undefined : query,
    sort: sort === 'date' ? undefined : sort,
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
