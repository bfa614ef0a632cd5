/** Names, meanings, ratings and formats of the web vitals. https://web.dev/articles/vitals */
import type { VitalName, VitalRating } from '@sonde/protocol/web-vitals'
import { formatDuration, formatShift } from '../../format/format-duration.ts'

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
