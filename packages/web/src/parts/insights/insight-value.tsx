import { INSIGHT_MEASURES, type InsightMeasure, type InsightValueKind } from '@sonde/queries/contract'
import {
  formatBytes,
  formatCount,
  formatExact,
  formatRate,
  formatRateShare,
} from '../../format/format-count.ts'
import { formatDuration } from '../../format/format-time.ts'

const TEXT: Readonly<Record<InsightValueKind, (value: number) => string>> = {
  rate: formatRate,
  duration: formatDuration,
  share: formatRateShare,
  failures: formatRateShare,
  bytes: (value) => formatBytes(Math.round(value)),
  count: (value) => `${value < 0 ? '−' : ''}${formatCount(Math.abs(value))}`,
}

/** What there is nothing of, and so says nothing: a percentile of no miss, a size that nobody sent. */
const isAbsent = (measure: InsightMeasure, value: number): boolean =>
  value === 0 && ['duration', 'bytes', 'count'].includes(INSIGHT_MEASURES[measure].kind)

type Props = { readonly measure: InsightMeasure; readonly value: number | undefined }

export function InsightValue({ measure, value = 0 }: Props) {
  if (isAbsent(measure, value)) return <span className="muted">–</span>
  const { kind } = INSIGHT_MEASURES[measure]
  const isBad = kind === 'failures' && value > 0
  const exact = kind === 'bytes' || kind === 'count' ? formatExact(value) : undefined
  return (
    <span className={`num ${isBad ? 'perf-bad' : kind === 'failures' ? 'muted' : ''}`} title={exact}>
      {TEXT[kind](value)}
    </span>
  )
}
