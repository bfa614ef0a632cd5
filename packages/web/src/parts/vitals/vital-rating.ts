/** The rating of a group of page views, and when there is none. Pure. */
import type { VitalRating } from '@sonde/protocol/web-vitals'
import { MIN_RATED_VISITS } from '@sonde/queries/contract'

export type RatedVisits = {
  readonly samples: number
  readonly count: number
  readonly good: number
  readonly poor: number
}

/**
 * By the shares: 75% of page views are good exactly when the 75th percentile is, and the counts are exact where the
 * percentile is rounded. Undefined with too little data.
 */
export function ratingOf({ samples, count, good, poor }: RatedVisits): VitalRating | undefined {
  if (samples < MIN_RATED_VISITS || count <= 0) return undefined
  if (good >= 0.75 * count) return 'good'
  return poor > 0.25 * count ? 'poor' : 'fair'
}

/** `not enough data: 12 of 30 page views` */
export const fewText = (samples: number): string =>
  `not enough data: ${samples} of ${MIN_RATED_VISITS} page views`
