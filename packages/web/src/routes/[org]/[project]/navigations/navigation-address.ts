/** What the screen shows, as its address says it: a pair of routes, one navigation, the order of the pairs. Pure. */
import { queryText } from '../../../../parts/filter-bar/filter-state.ts'

const PAIR_SORTS = ['count', 'p50', 'p75', 'p95', 'trouble'] as const
export type PairSort = (typeof PAIR_SORTS)[number]

export type NavigationPlace = {
  /** Of a pair; each alone narrows too. Undefined: any. */
  readonly from: string | undefined
  readonly to: string | undefined
  /** 16 hex. */
  readonly navigation: string | undefined
  readonly sort: PairSort
}

export function navigationPlace(params: URLSearchParams): NavigationPlace {
  const text = (name: string): string | undefined => params.get(name) || undefined
  return {
    from: text('from'),
    to: text('to'),
    navigation: text('navigation'),
    sort: PAIR_SORTS.find((sort) => sort === params.get('sort')) ?? 'count',
  }
}

/** The same screen, with these said otherwise; undefined takes away. */
export function placeSearch(
  params: URLSearchParams,
  change: { readonly [Name in keyof NavigationPlace]?: string | undefined },
): string {
  const next = new URLSearchParams(params)
  for (const [name, value] of Object.entries(change)) {
    if (value === undefined) next.delete(name)
    else next.set(name, value)
  }
  return queryText(next)
}
