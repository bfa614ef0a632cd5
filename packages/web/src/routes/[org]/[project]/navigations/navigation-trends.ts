/** The trend of times and of troubles, as lines with the builds and deploys that came meanwhile. */
import type { Build, NavigationSummary } from '@sonde/queries'
import type { ChartMarker } from '../../../../charts/chart-series.ts'
import type { TrendLine, TrendSeries } from '../../../../charts/trend-series.ts'

type Trend = NavigationSummary['trend']

/** How long until pages were seen. */
export const timesTrend = (trend: Trend, markers: readonly ChartMarker[]): TrendSeries =>
  trendOf(trend, markers, [
    lineOf('p50', '--edge', trend, ({ p50 }) => p50),
    lineOf('p75', '--accent', trend, ({ p75 }) => p75),
    lineOf('p95', '--bar', trend, ({ p95 }) => p95),
  ])

/** Share of navigations that hung, were left, failed or fell back, 0 to 1. */
export const troubleTrend = (trend: Trend, markers: readonly ChartMarker[]): TrendSeries =>
  trendOf(trend, markers, [
    lineOf('in trouble', '--accent', trend, ({ count, troubled }) =>
      count > 0 ? troubled / count : undefined,
    ),
  ])

const lineOf = (
  name: string,
  token: TrendLine['token'],
  { points }: Trend,
  valueOf: (point: Trend['points'][number]) => number | undefined,
): TrendLine => ({ name, token, values: points.map((point) => valueOf(point) ?? null) })

function trendOf(trend: Trend, markers: readonly ChartMarker[], lines: readonly TrendLine[]): TrendSeries {
  const { fromMs, toMs, stepMs, points } = trend
  const counts = points.map(({ count }) => count)
  const total = counts.reduce((sum, count) => sum + count, 0)
  return { fromMs, toMs, stepMs, counts, total, markers, lines, levels: [] }
}

/** A build that several environments have is marked once, where it came out first. Oldest first. */
export function buildMarkers(
  builds: readonly Build[],
  { fromMs, toMs }: Pick<Trend, 'fromMs' | 'toMs'>,
): readonly ChartMarker[] {
  const first = new Map<string, number>()
  for (const { build, firstMs } of builds) first.set(build, Math.min(firstMs, first.get(build) ?? firstMs))
  return [...first]
    .filter(([, firstMs]) => firstMs > fromMs && firstMs < toMs)
    .map(([release, atMs]) => ({ release, atMs }))
    .toSorted((a, b) => a.atMs - b.atMs)
}
