/** Pairs of routes in the order that is asked for. */
import type { RoutePair } from '@sonde/queries'
import type { PairSort } from './navigation-address.ts'
import { TROUBLES } from './navigation-words.ts'

/** How many of a pair ended badly for somebody. */
export const troubleOf = ({ outcomes }: Pick<RoutePair, 'outcomes'>): number =>
  TROUBLES.reduce((sum, outcome) => sum + (outcomes[outcome] ?? 0), 0)

/** The highest first; equal ones as they were, the most frequent first. A share is of few where a pair is rare. */
export function orderPairs<Pair extends RoutePair>(pairs: readonly Pair[], sort: PairSort): Pair[] {
  const valueOf = (pair: Pair): number => {
    if (sort === 'trouble') return troubleOf(pair) / Math.max(1, pair.count)
    return pair[sort] ?? -1
  }
  return pairs.toSorted((a, b) => valueOf(b) - valueOf(a) || b.count - a.count)
}
