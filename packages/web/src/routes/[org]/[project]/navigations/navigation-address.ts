/** The state in the address: a pair of routes, one navigation, the order of the pairs. Pure. */
import type { RoutePair } from '@sonde/queries'
import { queryText } from '../../../../parts/filter-bar/filter-state.ts'
import { FAILED_OUTCOMES } from './navigation-words.ts'

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

/** The same address with these changed; undefined removes one. */
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

/** How many navigations of a pair failed or were abandoned. */
export const failuresOf = ({ outcomes }: Pick<RoutePair, 'outcomes'>): number =>
  FAILED_OUTCOMES.reduce((sum, outcome) => sum + (outcomes[outcome] ?? 0), 0)

/** Of a pair, those whose end is known: what a share of failures is a share of. */
export const knownOf = ({ count, outcomes }: Pick<RoutePair, 'count' | 'outcomes'>): number =>
  count - (outcomes.unknown ?? 0)

/** The highest first, then the most frequent. */
export function orderPairs<Pair extends RoutePair>(pairs: readonly Pair[], sort: PairSort): Pair[] {
  const valueOf = (pair: Pair): number => {
    if (sort === 'trouble') return failuresOf(pair) / Math.max(1, knownOf(pair))
    return pair[sort] ?? -1
  }
  return pairs.toSorted((a, b) => valueOf(b) - valueOf(a) || b.count - a.count)
}
