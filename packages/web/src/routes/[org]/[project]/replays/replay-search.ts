/** What the list of replays shows, as its address says it; environment, time and filters have their own names. Pure. */
import { REPLAY_SORTS, type ReplaySort } from '@sonde/queries/contract'

export const SORT_NAMES: Readonly<Record<ReplaySort, string>> = {
  newest: 'Newest',
  errors: 'Most errors',
  longest: 'Longest',
  rage: 'Most rage and dead clicks',
  activity: 'Most activity',
}
export const SORTS = REPLAY_SORTS
export const PAGE_ROWS = 50

export type ReplaySearch = {
  readonly query: string
  readonly sort: ReplaySort
  readonly cursor: string | undefined
  /** Only replays of this issue: its number. */
  readonly issue: number | undefined
}

/** What cannot be read is left out: an old link should show something. */
export function readReplaySearch(params: URLSearchParams): ReplaySearch {
  const cursor = params.get('cursor') ?? ''
  const issue = params.get('issue') ?? ''
  return {
    query: (params.get('query') ?? '').trim(),
    sort: REPLAY_SORTS.find((each) => each === params.get('sort')) ?? 'newest',
    cursor: /^\d{1,16}-[0-9a-f]{32}$/.test(cursor) ? cursor : undefined,
    issue: /^[1-9]\d{0,14}$/.test(issue) ? Number(issue) : undefined,
  }
}

/** The same list with something else; it begins at its first page. */
export function withReplays(
  params: URLSearchParams,
  change: { readonly [Name in 'sort' | 'cursor' | 'issue']?: string | undefined },
): string {
  const next = new URLSearchParams(params)
  next.delete('cursor')
  for (const [name, value] of Object.entries(change)) {
    if (value === undefined || value === '') next.delete(name)
    else next.set(name, value)
  }
  const text = next.toString()
  return text === '' ? '' : `?${text}`
}
