/** Counts, failures and durations of a node or an edge of the service map. */

export type MapFigures = {
  readonly count: number
  readonly perMinute: number
  readonly failureRate: number
  /** Milliseconds; undefined where nothing took time. */
  readonly p95Ms: number | undefined
}
type One = { readonly durationMs: number; readonly failed: number; readonly weight: number }
type Many = { readonly count: number; readonly failed: number; readonly p95Ms: number }

export type Tally = {
  readonly add: (one: One) => void
  /** Of what the engine summed up; of several the largest p95 holds, for theirs cannot be joined. */
  readonly addMany: (many: Many) => void
  /** `oneIn`: counted up by it. */
  readonly figures: (oneIn: number, minutes: number) => MapFigures
}

export function createTally(): Tally {
  const durations: { readonly ms: number; readonly weight: number }[] = []
  let count = 0
  let failed = 0
  let largestP95: number | undefined
  return {
    add(one) {
      count += one.weight
      failed += one.failed === 1 ? one.weight : 0
      durations.push({ ms: one.durationMs, weight: one.weight })
    },
    addMany(many) {
      count += many.count
      failed += many.failed
      largestP95 = Math.max(largestP95 ?? 0, many.p95Ms)
    },
    figures: (oneIn, minutes) => ({
      count: Math.round(count * oneIn),
      perMinute: (count * oneIn) / Math.max(1 / 60, minutes),
      failureRate: count === 0 ? 0 : failed / count,
      p95Ms: largestP95 ?? weightedQuantile(durations, 0.95),
    }),
  }
}

function weightedQuantile(
  durations: { readonly ms: number; readonly weight: number }[],
  share: number,
): number | undefined {
  const ordered = durations.toSorted((a, b) => a.ms - b.ms)
  const all = ordered.reduce((sum, { weight }) => sum + weight, 0)
  let below = 0
  for (const { ms, weight } of ordered) {
    below += weight
    if (below >= share * all) return ms
  }
  return ordered.at(-1)?.ms
}
