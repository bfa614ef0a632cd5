import { formatExact } from '../format/format-count.ts'
import { formatDuration, formatShift } from '../format/format-duration.ts'
import { SplitBar } from './split-bar.tsx'

export type ShownVital = {
  readonly p75: number
  readonly count: number
  readonly good: number
  readonly needsImprovement: number
  readonly poor: number
}
type Props = {
  readonly vital: ShownVital | undefined
  readonly isShift: boolean
  /** Up to the first good, above the second poor. */
  readonly thresholds: readonly [number, number]
}

const RATINGS = { good: 'good', fair: 'needs work', poor: 'poor' } as const

/** Fewer visits than this and the percentile is an accident. */
const FEW = 20

export function VitalCell({ vital, isShift, thresholds: [good, poor] }: Props) {
  if (!vital) {
    return (
      <td className="vital muted" title="No visit has told this one">
        –
      </td>
    )
  }
  const rating = vital.p75 <= good ? 'good' : vital.p75 > poor ? 'poor' : 'fair'
  const split = `${formatExact(vital.good)} good, ${formatExact(vital.needsImprovement)} need improvement, ${formatExact(vital.poor)} poor`
  return (
    <td className={`vital vital-${rating}`}>
      <span className="num vital-value">{isShift ? formatShift(vital.p75) : formatDuration(vital.p75)}</span>{' '}
      <span className="vital-rating">{RATINGS[rating]}</span>
      {vital.count < FEW && (
        <span className="muted" title={`Only ${formatExact(vital.count)} visits: too few to rely on`}>
          {' '}
          few
        </span>
      )}
      <SplitBar
        label={split}
        parts={[
          { className: 'part-good', value: vital.good },
          { className: 'part-fair', value: vital.needsImprovement },
          { className: 'part-poor', value: vital.poor },
        ]}
      />
    </td>
  )
}
