/** Shares of releases over time, as the chart draws them. Pure. */
import type { AdoptionSeries } from '@sonde/queries'
import type { ChartMarker } from '../../../../charts/chart-series.ts'
import type { TrendLine, TrendSeries } from '../../../../charts/trend-series.ts'

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
