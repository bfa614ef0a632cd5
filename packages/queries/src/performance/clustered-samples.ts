/** How many independent samples would tell a share as exactly as these do, of which many are of one person. Pure. */

/** People by hash; each group is one observation of how far the share is from the whole's. */
export const GROUPS = 64
/** With fewer groups than this the people are too few for their difference to be known. */
const MIN_GROUPS = 16

/** Sums over the groups of people in which anybody is. */
export type GroupSums = {
  readonly groups: number
  /** Weight of all rows, and of each group squared. */
  readonly whole: number
  readonly wholeSquares: number
  /** Weight of the rows that the share is of, of each group squared, and of each group times the group's. */
  readonly below: number
  readonly squares: number
  readonly products: number
}

/**
 * From the variance between groups (the linearised variance of a ratio; Kish's design effect is `samples` by this). Never
 * more than `samples`: that groups are alike by chance makes nothing more certain. 0 when it is too few people.
 */
export function clusteredSamples(sums: GroupSums, samples: number): number {
  const { groups, whole, wholeSquares, below, squares, products } = sums
  if (groups < MIN_GROUPS) return 0
  const share = below / whole
  const pulls = squares - 2 * share * products + share * share * wholeSquares
  const variance = ((pulls / (whole * whole)) * groups) / (groups - 1)
  return variance > 0 ? Math.min(samples, (share * (1 - share)) / variance) : samples
}
