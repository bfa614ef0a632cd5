/** What Explore shows, as its address says it; environment, time and filters have their own names. Pure. */
export const VIEWS = ['groups', 'spans'] as const
export type ExploreView = (typeof VIEWS)[number]

export type ExploreSearch = {
  readonly query: string
  readonly view: ExploreView
  readonly groupBy: readonly string[]
  readonly measures: readonly string[]
  /** `-p95(duration)`: the largest first. */
  readonly sort: string
  /** From 1. */
  readonly page: number
}

export const MAX_GROUPS = 3
export const MAX_MEASURES = 6
export const PAGE_ROWS = 50
const DEFAULT_GROUPS = ['op'] as const
const DEFAULT_MEASURES = ['count()', 'p50(duration)', 'p95(duration)', 'failure_rate()'] as const

/** Offered in the fields; any field can stand in the brackets. */
export const OFFERED_MEASURES = [
  'count()',
  'epm()',
  'failure_rate()',
  'count_unique(user)',
  ...['p50', 'p75', 'p90', 'p95', 'p99', 'avg', 'max', 'sum'].map((name) => `${name}(duration)`),
] as const

/** What cannot be read is left out: an old link should show something. A bare `group` or `measure`: none of them. */
export function readExploreSearch(params: URLSearchParams): ExploreSearch {
  const groupBy = listOf(params, 'group', DEFAULT_GROUPS).slice(0, MAX_GROUPS)
  const measures = listOf(params, 'measure', DEFAULT_MEASURES).slice(0, MAX_MEASURES)
  return {
    query: (params.get('query') ?? '').trim(),
    view: VIEWS.find((view) => view === params.get('view')) ?? 'groups',
    groupBy,
    measures: measures.length === 0 ? ['count()'] : measures,
    sort: params.get('sort') ?? '',
    page: Math.min(200, Math.max(1, Math.trunc(Number(params.get('page'))) || 1)),
  }
}

function listOf(params: URLSearchParams, name: string, fallback: readonly string[]): readonly string[] {
  if (!params.has(name)) return fallback
  return [...new Set(params.getAll(name).map((text) => text.trim()))].filter((text) => text !== '')
}

/** The same screen with something else; another list begins at its first page. */
export function withExplore(
  params: URLSearchParams,
  change: { readonly [Name in 'query' | 'view' | 'sort' | 'page']?: string | undefined },
): string {
  const next = new URLSearchParams(params)
  next.delete('page')
  for (const [name, value] of Object.entries(change)) {
    if (value === undefined || value === '') next.delete(name)
    else next.set(name, value)
  }
  const text = next.toString()
  return text === '' ? '' : `?${text}`
}

/** By which of the columns, and which way; the first measure falls unless the address says otherwise. */
export function sortOf({ sort, measures }: Pick<ExploreSearch, 'sort' | 'measures'>): {
  readonly field: string
  readonly isDescending: boolean
} {
  if (sort === '') return { field: measures[0] ?? '', isDescending: true }
  return sort.startsWith('-')
    ? { field: sort.slice(1), isDescending: true }
    : { field: sort, isDescending: false }
}
