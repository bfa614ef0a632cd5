/** Adoption of releases: the share of each in words, and as chart series. Pure. */
import type { AdoptionBasis, AdoptionCounts, AdoptionSeries } from '@sonde/queries'
import type { ChartMarker, TrendLine, TrendSeries } from '../../../../charts/chart-series.ts'
import { formatExact, formatShare } from '../../../../format/format-count.ts'

const NOUNS: Readonly<Record<AdoptionBasis, string>> = {
  visits: 'page loads and navigations',
  transactions: 'transactions',
  events: 'events',
}
/** What adoption is a share of: `page loads and navigations`. */
export const basisName = (basis: AdoptionBasis): string => NOUNS[basis]

export type AdoptionShare = {
  /** `42%`. */
  readonly text: string
  /** `1,234 of 2,938 page loads and navigations`. */
  readonly title: string
  readonly part: number
  readonly whole: number
}

/** Undefined without data of any release in this period. */
export function adoptionShare(
  basis: AdoptionBasis | undefined,
  use: AdoptionCounts | undefined,
  total: AdoptionCounts,
): AdoptionShare | undefined {
  if (basis === undefined) return undefined
  const [part, whole] = [use?.[basis] ?? 0, total[basis]]
  return {
    text: formatShare(part, whole),
    title: `${formatExact(part)} of ${formatExact(whole)} ${basisName(basis)} in this period`,
    part,
    whole,
  }
}

// Shares of releases over time, as the chart draws them. Pure.

/** One for each release of the series, in its order. */
const ADOPTION_LINES = ['--accent', '--edge'] as const satisfies readonly TrendLine['token'][]

/** `markers`: oldest first; those outside are left out. */
export function adoptionChartSeries(series: AdoptionSeries, markers: readonly ChartMarker[]): TrendSeries {
  const { fromMs, toMs, stepMs, counts, releases } = series
  return {
    fromMs,
    toMs,
    stepMs,
    counts,
    total: counts.reduce((sum, count) => sum + count, 0),
    markers: markers.filter(({ atMs }) => atMs >= fromMs && atMs < toMs),
    levels: [],
    lines: releases.map(({ release, counts: own }, index) => ({
      name: release,
      token: ADOPTION_LINES[index] ?? '--bar',
      // Where nothing happened there is no share of it.
      values: counts.map((count, bucket) => (count > 0 ? (own[bucket] ?? 0) / count : null)),
    })),
  }
}
