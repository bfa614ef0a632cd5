/** The trend of one vital as the chart draws it. Pure. */
import { VITAL_THRESHOLDS, type VitalName } from '@sonde/protocol/web-vitals'
import type { VitalTrend } from '@sonde/queries'
import type { TrendLevel, TrendSeries } from '../../../../charts/trend-series.ts'
import type { VitalTrendKind } from './vital-choice.ts'
import { vitalText } from '../../../../parts/vitals/vital-words.ts'

/** A point for so many visits on average: with fewer it jumps about for no reason. */
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
  if (kind === 'good') return [{ at: 0.75, name: 'three of four', token: '--good' }]
  const [goodUpTo, poorAbove] = VITAL_THRESHOLDS[name]
  return [
    { at: goodUpTo, name: `good up to ${vitalText(name, goodUpTo)}`, token: '--good' },
    { at: poorAbove, name: `poor above ${vitalText(name, poorAbove)}`, token: '--bad' },
  ]
}
