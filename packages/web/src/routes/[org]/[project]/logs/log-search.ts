/** What the screen of logs shows, as its address says it; environment, time and filters have their own names. Pure. */
export const VIEWS = ['lines', 'patterns'] as const
export type LogView = (typeof VIEWS)[number]

export type LogSearch = {
  readonly query: string
  readonly view: LogView
  /** Attributes that each line shows beside its text. */
  readonly columns: readonly string[]
  /** Lines older than this one; absent: the newest. */
  readonly before: string | undefined
  /** New lines are shown as they come. */
  readonly isLive: boolean
}

const MAX_COLUMNS = 5
export const PAGE_LINES = 50

/** What cannot be read is left out: an old link should show something. */
export function readLogSearch(params: URLSearchParams): LogSearch {
  const before = params.get('before') ?? undefined
  const view = VIEWS.find((each) => each === params.get('view')) ?? 'lines'
  const named = params.getAll('column').filter((name) => name !== '' && name.length <= 200)
  return {
    query: (params.get('query') ?? '').trim(),
    view,
    columns: [...new Set(named)].slice(0, MAX_COLUMNS),
    before: before !== undefined && /^\d{1,16}(?:-\d{1,16}){5}$/.test(before) ? before : undefined,
    isLive: params.get('live') === '1' && before === undefined && view === 'lines',
  }
}

type Change = { readonly [Name in 'query' | 'view' | 'before' | 'live']?: string | undefined }

/** The same screen with something else; it begins at its newest lines. */
export function withLogs(params: URLSearchParams, change: Change): string {
  const next = new URLSearchParams(params)
  next.delete('before')
  for (const [name, value] of Object.entries(change)) {
    if (value === undefined || value === '') next.delete(name)
    else next.set(name, value)
  }
  return searchText(next)
}

/** With the attribute among the columns, or without it when it is there. */
export function toggledColumn(params: URLSearchParams, name: string): string {
  const next = new URLSearchParams(params)
  const others = next.getAll('column').filter((each) => each !== name)
  if (others.length === next.getAll('column').length) others.push(name)
  next.delete('column')
  for (const each of others.slice(-MAX_COLUMNS)) next.append('column', each)
  return searchText(next)
}

function searchText(params: URLSearchParams): string {
  const text = params.toString()
  return text === '' ? '' : `?${text}`
}

/** The search narrowed by one term more; a term that is there is not repeated. */
export const withTerm = (query: string, term: string): string =>
  ` ${query} `.includes(` ${term} `) ? query : `${query} ${term}`.trim()
