/** What each web vital is called, what it means, and how its values are written. */
import type { VitalName, VitalRating } from '@sonde/protocol/web-vitals'
import { formatDuration, formatShift } from '../../format/format-duration.ts'

export const VITAL_WORDS: Readonly<Record<VitalName, { readonly long: string; readonly meaning: string }>> = {
  lcp: { long: 'Largest Contentful Paint', meaning: 'when the largest part of the page was seen' },
  inp: { long: 'Interaction to Next Paint', meaning: 'how long presses and keys took to show' },
  cls: { long: 'Cumulative Layout Shift', meaning: 'how much jumped about' },
  fcp: { long: 'First Contentful Paint', meaning: 'when anything was seen' },
  ttfb: { long: 'Time to First Byte', meaning: 'how long the server took to begin its answer' },
}

export const RATING_WORDS: Readonly<Record<VitalRating, string>> = {
  good: 'good',
  fair: 'needs work',
  poor: 'poor',
}

/** `LCP` */
export const vitalTitle = (name: VitalName): string => name.toUpperCase()

/** CLS has no unit; the others are times. */
export const vitalText = (name: VitalName, value: number): string =>
  name === 'cls' ? formatShift(value) : formatDuration(value)
