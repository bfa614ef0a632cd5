/** The web vitals that are stored and shown, and where good ends and poor begins: the one list of them. */

/** Those that count as Core Web Vitals come first; so do the screens. */
export const VITAL_NAMES = ['lcp', 'inp', 'cls', 'fcp', 'ttfb'] as const
export type VitalName = (typeof VITAL_NAMES)[number]

/** Up to and including the first is good, above the second poor. */
export type VitalThresholds = readonly [goodUpTo: number, poorAbove: number]

/** Milliseconds; CLS has no unit. https://web.dev/articles/defining-core-web-vitals-thresholds */
export const VITAL_THRESHOLDS: Readonly<Record<VitalName, VitalThresholds>> = {
  lcp: [2500, 4000],
  inp: [200, 500],
  cls: [0.1, 0.25],
  fcp: [1800, 3000],
  ttfb: [800, 1800],
}

const VITAL_RATINGS = ['good', 'fair', 'poor'] as const
/** `fair` is what Google calls "needs improvement". */
export type VitalRating = (typeof VITAL_RATINGS)[number]

export function vitalRating(name: VitalName, value: number): VitalRating {
  const [goodUpTo, poorAbove] = VITAL_THRESHOLDS[name]
  return value <= goodUpTo ? 'good' : value > poorAbove ? 'poor' : 'fair'
}

export const isVitalName = (name: unknown): name is VitalName =>
  (VITAL_NAMES as readonly unknown[]).includes(name)
