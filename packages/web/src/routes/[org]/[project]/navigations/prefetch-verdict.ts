/** What the counts of fetching a route ahead come to, in a sentence that can be acted on. */
import type { RoutePrefetch } from '@sonde/queries'

type Counted = Pick<RoutePrefetch, 'issued' | 'used' | 'late' | 'stale' | 'wasted'>

/** Below this a share is an accident. */
const FEW = 20
const MANY = 0.5

export function prefetchVerdict({ issued, used, late, stale, wasted }: Counted): string {
  if (issued < FEW) return 'Too few to tell'
  const needed = used + late + stale
  if (wasted / issued > 0.8)
    return 'Most of it is for nobody: fetch on intent (pointer, focus) instead of in view'
  if (needed > 0 && stale / needed > MANY)
    return 'Gone stale before it is needed: allow it to be older, or fetch later'
  if (needed > 0 && late / needed > MANY) return 'Comes too late: begin sooner, or make the answer faster'
  if (wasted / issued > MANY) return 'Helps some; more than half is for nobody'
  return 'Worth it'
}

/** Milliseconds sooner that a page was seen (p75) which was there in time; undefined with too few to compare. */
export function prefetchGain({
  usedP75,
  noneP75,
  usedSamples,
  noneSamples,
}: Pick<RoutePrefetch, 'usedP75' | 'noneP75' | 'usedSamples' | 'noneSamples'>): number | undefined {
  if (usedP75 === undefined || noneP75 === undefined || Math.min(usedSamples, noneSamples) < FEW)
    return undefined
  return noneP75 - usedP75
}
