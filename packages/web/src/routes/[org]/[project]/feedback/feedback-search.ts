/** What the address of the inbox says, and how its links change it. */

export const TABS = [
  { id: 'inbox', name: 'Inbox', state: 'unresolved' },
  { id: 'resolved', name: 'Resolved', state: 'resolved' },
  { id: 'spam', name: 'Spam', state: 'ignored' },
] as const
export type Tab = (typeof TABS)[number]['id']

export type FeedbackSearch = {
  readonly tab: Tab
  /** Terms of the search for issues, besides the category and the state. */
  readonly query: string
  /** The one that is shown; undefined: the first. */
  readonly shown: number | undefined
  readonly cursor: string | undefined
}

export function readFeedbackSearch(params: URLSearchParams): FeedbackSearch {
  const shown = Number(params.get('id'))
  return {
    tab: TABS.find(({ id }) => id === params.get('tab'))?.id ?? 'inbox',
    query: (params.get('query') ?? '').trim(),
    shown: Number.isSafeInteger(shown) && shown > 0 ? shown : undefined,
    cursor: params.get('cursor') ?? undefined,
  }
}

/** As the list of issues understands it. */
export function issueQuery({ tab, query }: Pick<FeedbackSearch, 'tab' | 'query'>): string {
  const state = TABS.find(({ id }) => id === tab)?.state ?? 'unresolved'
  return `issue.category:feedback is:${state} ${query}`.trim()
}

type Change = { readonly [name in 'tab' | 'query' | 'id' | 'cursor']?: string | undefined }

/** With the rest of the address as it is. What is undefined goes. */
export function withFeedback(params: URLSearchParams, change: Change): string {
  const next = new URLSearchParams(params)
  for (const [name, value] of Object.entries(change)) {
    if (value === undefined) next.delete(name)
    else next.set(name, value)
  }
  const text = next.toString()
  return text === '' ? '' : `?${text}`
}
