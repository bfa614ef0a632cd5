/** What the charts of a vital draw: the bars of its histogram, each of one rating, and its trend. Pure. */
import { VITAL_THRESHOLDS, type VitalName, type VitalRating } from '@sonde/protocol/web-vitals'
import type { VitalHistogram, VitalTrend } from '@sonde/queries'
import type { TrendLevel, TrendSeries } from '../../../../charts/chart-series.ts'
import { vitalText } from '../../../../parts/vitals/vital-words.ts'
import type { VitalTrendKind } from './vital-choice.ts'

export type HistogramBar = {
  /** Values above `from`, up to and including `to`. */
  readonly from: number
  readonly to: number
  readonly visits: number
  readonly rating: VitalRating
}
export type HistogramBars = {
  readonly bars: readonly HistogramBar[]
  /** Visits above the last bar. */
  readonly beyond: number
  readonly total: number
}

/** More bars than this cannot be distinguished at 360 px. */
const MAX_BARS = 48
/** The share of page views that bars show; the long tail is a number. */
const SHOWN_SHARE = 0.98

/** The width divides both thresholds, so no bar has page views of two ratings. */
export function histogramBars(name: VitalName, { width, bins, beyond }: VitalHistogram): HistogramBars {
  const [goodUpTo, poorAbove] = VITAL_THRESHOLDS[name].map((value) => Math.round(value / width))
  const [good = 1, poor = 1] = [goodUpTo, poorAbove]
  const total = bins.reduce((sum, visits) => sum + visits, 0) + beyond
  const shown = shownBins(bins, { good, poor, total })
  const joined = divisors(good, poor).find((count) => shown / count <= MAX_BARS) ?? 1
  const count = Math.ceil(shown / joined)
  const bars = Array.from({ length: count }, (_, bar) => {
    const [first, last] = [bar * joined, Math.min(bins.length, (bar + 1) * joined)]
    return {
      from: rounded(first * width),
      to: rounded(last * width),
      visits: bins.slice(first, last).reduce((sum, visits) => sum + visits, 0),
      rating: last <= good ? 'good' : first >= poor ? 'poor' : 'fair',
    } as const
  })
  const seen = bars.reduce((sum, { visits }) => sum + visits, 0)
  return { bars, beyond: total - seen, total }
}

/** Bins that hold nearly all page views, and always some beyond the good threshold. */
function shownBins(
  bins: readonly number[],
  { good, poor, total }: { readonly good: number; readonly poor: number; readonly total: number },
): number {
  let seen = 0
  const reached = bins.findIndex((visits) => (seen += visits) >= SHOWN_SHARE * total)
  const needed = reached < 0 ? bins.length : reached + 1
  return Math.min(
    bins.length,
    Math.max(needed, needed > good ? Math.ceil(poor * 1.15) : Math.ceil(good * 1.15)),
  )
}

/** Ascending: by how many bins can be joined without mixing ratings. */
function divisors(a: number, b: number): readonly number[] {
  return Array.from({ length: a }, (_, index) => index + 1).filter(
    (count) => a % count === 0 && b % count === 0,
  )
}

/** 3 × 0.005 is not 0.015 for a processor. */
const rounded = (value: number): number => Math.round(value * 1e6) / 1e6

// The trend of one vital as the chart draws it. Pure.

/** Page views per point on average: with fewer the line is noise. */
const VISITS_A_POINT = 30
const [MIN_POINTS, MAX_POINTS] = [8, 60]

export const trendPoints = (samples: number): number =>
  Math.min(MAX_POINTS, Math.max(MIN_POINTS, Math.floor(samples / VISITS_A_POINT)))

export function vitalTrendSeries(name: VitalName, trend: VitalTrend, kind: VitalTrendKind): TrendSeries {
  const { fromMs, toMs, stepMs, points, markers } = trend
  const counts = points.map((point) => point?.count ?? 0)
  const values = points.map((point) => {
    if (!point || point.count <= 0) return null
    return kind === 'p75' ? point.p75 : point.good / point.count
  })
  const total = counts.reduce((sum, count) => sum + count, 0)
  const line = { name: kind === 'p75' ? 'p75' : 'good', values, token: '--bar' } as const
  return { fromMs, toMs, stepMs, counts, total, markers, lines: [line], levels: levelsOf(name, kind) }
}

function levelsOf(name: VitalName, kind: VitalTrendKind): readonly TrendLevel[] {
  if (kind === 'good') return [{ at: 0.75, name: '75%', token: '--good' }]
  const [goodUpTo, poorAbove] = VITAL_THRESHOLDS[name]
  return [
    { at: goodUpTo, name: `good up to ${vitalText(name, goodUpTo)}`, token: '--good' },
    { at: poorAbove, name: `poor above ${vitalText(name, poorAbove)}`, token: '--bad' },
  ]
}
