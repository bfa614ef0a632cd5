/**
 * By how much one group is slower than another at a percentile, with a confidence interval. Pure. The method and its
 * sources: docs/decisions/0009-vitals-of-users-with-an-error.md; `test/quantile-difference.test.ts` holds it to its
 * promise by simulation.
 */

import { MIN_COMPARED_PEOPLE, MIN_COMPARED_VISITS } from '../contract.ts'

export type Observation = {
  readonly value: number
  /** How many visits it stands for. */
  readonly weight: number
  /** What both groups must have in common to be compared: route and device. */
  readonly stratum: string
  /** Observations of one person are alike, so they are no independent ones. */
  readonly cluster: string
}

export type GroupQuantile = {
  readonly value: number
  readonly samples: number
  readonly clusters: number
}
export type QuantileDifference = {
  readonly first: GroupQuantile
  readonly second: GroupQuantile
  /** First minus second, and where the true difference lies in 19 of 20 such comparisons. */
  readonly difference: number
  readonly low: number
  readonly high: number
}

/** Of a stratum with fewer on either side one cannot say how its visits differ among themselves: it is left out. */
const MIN_STRATUM_VISITS = 5
/** Of the normal distribution, for 95 %. */
const Z = 1.959964

/**
 * Only strata that both have are compared, and the second group is weighted to the first one's mix of them. Undefined
 * when there is too little to say anything.
 */
export function quantileDifference(
  first: readonly Observation[],
  second: readonly Observation[],
  level = 0.75,
): QuantileDifference | undefined {
  const shared = sharedStrata(first, second)
  const own = first.filter(({ stratum }) => shared.has(stratum))
  const [ownMix, otherMix] = [mixOf(own), mixOf(second)]
  const other = second
    .filter(({ stratum }) => shared.has(stratum))
    .map((each) => ({
      ...each,
      weight: (each.weight * (ownMix.get(each.stratum) ?? 0)) / (otherMix.get(each.stratum) ?? 1),
    }))
  const [a, b] = [withInterval(own, level), withInterval(other, level)]
  if (!a || !b) return undefined
  const difference = a.value - b.value
  return {
    first: a.reported,
    second: b.reported,
    difference,
    // MOVER: the two intervals' own arms, which need not be equally long.
    low: difference - Math.hypot(a.value - a.low, b.high - b.value),
    high: difference + Math.hypot(a.high - a.value, b.value - b.low),
  }
}

function sharedStrata(first: readonly Observation[], second: readonly Observation[]): ReadonlySet<string> {
  const [a, b] = [first, second].map((group) => Map.groupBy(group, ({ stratum }) => stratum))
  const isEnough = (group: readonly Observation[] | undefined): boolean =>
    (group?.length ?? 0) >= MIN_STRATUM_VISITS
  return new Set(
    [...(a?.keys() ?? [])].filter((stratum) => isEnough(a?.get(stratum)) && isEnough(b?.get(stratum))),
  )
}

/** Of each stratum the share of its weight at or below a value. */
function sharesAtOrBelow(group: readonly Observation[], limit: number): ReadonlyMap<string, number> {
  const all = mixOf(group)
  const below = mixOf(group.filter(({ value }) => value <= limit))
  return new Map([...all].map(([stratum, weight]) => [stratum, (below.get(stratum) ?? 0) / weight]))
}

/** Weight of each stratum. */
function mixOf(group: readonly Observation[]): ReadonlyMap<string, number> {
  const mix = new Map<string, number>()
  for (const { stratum, weight } of group) mix.set(stratum, (mix.get(stratum) ?? 0) + weight)
  return mix
}

type WithInterval = {
  readonly value: number
  readonly low: number
  readonly high: number
  readonly reported: GroupQuantile
}

/** Woodruff's interval: that of the share at or below the quantile, read back as values. */
function withInterval(group: readonly Observation[], level: number): WithInterval | undefined {
  const sorted = group.toSorted((a, b) => a.value - b.value)
  const total = sorted.reduce((sum, { weight }) => sum + weight, 0)
  const at = (share: number): number => {
    let below = 0
    for (const { value, weight } of sorted) if ((below += weight) >= share * total - 1e-9) return value
    return sorted.at(-1)?.value ?? NaN
  }
  const value = at(level)
  // How far each person's visits pull the share away from that of their stratum: people are independent, visits are
  // not, and both groups have the same mix of strata.
  const shares = sharesAtOrBelow(sorted, value)
  const pulls = new Map<string, number>()
  for (const each of sorted) {
    const pull = each.weight * ((each.value <= value ? 1 : 0) - (shares.get(each.stratum) ?? 0))
    pulls.set(each.cluster, (pulls.get(each.cluster) ?? 0) + pull)
  }
  const clusters = pulls.size
  if (sorted.length < MIN_COMPARED_VISITS || clusters < MIN_COMPARED_PEOPLE) return undefined
  const squares = [...pulls.values()].reduce((sum, pull) => sum + pull * pull, 0)
  const error = (Math.sqrt(squares) / total) * Math.sqrt(clusters / (clusters - 1))
  const [from, to] = [level - Z * error, level + Z * error]
  // Beyond the slowest visit nothing was measured: then there is no upper end.
  if (from <= 0 || to >= 1) return undefined
  return { value, low: at(from), high: at(to), reported: { value, samples: sorted.length, clusters } }
}
