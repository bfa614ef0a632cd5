/** Names, meanings, ratings and formats of the web vitals. https://web.dev/articles/vitals */
import type { VitalName, VitalRating } from '@sonde/protocol/web-vitals'
import { MIN_RATED_VISITS } from '@sonde/queries/contract'
import { formatDuration, formatShift } from '../../format/format-time.ts'

export const VITAL_WORDS: Readonly<Record<VitalName, { readonly long: string; readonly meaning: string }>> = {
  lcp: { long: 'Largest Contentful Paint', meaning: 'time until the largest content element rendered' },
  inp: { long: 'Interaction to Next Paint', meaning: 'latency of clicks, taps and key presses' },
  cls: { long: 'Cumulative Layout Shift', meaning: 'how much the layout shifted unexpectedly' },
  fcp: { long: 'First Contentful Paint', meaning: 'time until the first content rendered' },
  ttfb: { long: 'Time to First Byte', meaning: 'time until the first byte of the response' },
}

export const RATING_WORDS: Readonly<Record<VitalRating, string>> = {
  good: 'good',
  fair: 'needs improvement',
  poor: 'poor',
}

/** `LCP` */
export const vitalTitle = (name: VitalName): string => name.toUpperCase()

/** CLS has no unit; the others are times. */
export const vitalText = (name: VitalName, value: number): string =>
  name === 'cls' ? formatShift(value) : formatDuration(value)

/** The rating of a group of page views, and when there is none. Pure. */
type RatedVisits = {
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
