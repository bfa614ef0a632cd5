/** How a group of visits is rated, and when not. Pure. */
import { MIN_RATED_VISITS } from '@sonde/queries/contract'
import type { VitalRating } from '@sonde/protocol/web-vitals'

export type RatedVisits = {
  readonly samples: number
  readonly count: number
  readonly good: number
  readonly poor: number
}

/**
 * By the shares: three of four visits are good exactly when the 75th percentile is, and the counts are exact where the
 * percentile is rounded. Undefined for too few to tell.
 */
export function ratingOf({ samples, count, good, poor }: RatedVisits): VitalRating | undefined {
  if (samples < MIN_RATED_VISITS || count <= 0) return undefined
  if (good >= 0.75 * count) return 'good'
  return poor > 0.25 * count ? 'poor' : 'fair'
}

/** `too few visits to tell: 12 of 30` */
export const fewText = (samples: number): string =>
  `too few visits to tell: ${samples} of the ${MIN_RATED_VISITS} it takes`
