import type { VitalName } from '@sonde/protocol/web-vitals'
import type { VitalSummary } from '@sonde/queries'
import { Link } from '@sonde/router'
import { formatExact } from '../../../../format/format-count.ts'
import { SplitBar } from '../../../../parts/split-bar.tsx'
import { fewText, ratingOf } from '../../../../parts/vitals/vital-rating.ts'
import { RATING_WORDS, vitalText } from '../../../../parts/vitals/vital-words.ts'

type Props = {
  readonly name: VitalName
  readonly vital: VitalSummary | undefined
  /** Where it is explained. */
  readonly to: string
}

export function VitalCell({ name, vital, to }: Props) {
  if (!vital) {
    return (
      <td className="vital muted" title="No visit has told this one">
        –
      </td>
    )
  }
  const { p75, samples, good, needsImprovement, poor } = vital
  const rating = ratingOf(vital)
  const split = `${formatExact(good)} good, ${formatExact(needsImprovement)} need improvement, ${formatExact(poor)} poor`
  return (
    <td className={`vital ${rating ? `vital-${rating}` : 'muted'}`}>
      <Link to={to} prefetch="none" className="num vital-value">
        {vitalText(name, p75)}
      </Link>{' '}
      <span className="vital-rating" title={rating ? undefined : fewText(samples)}>
        {rating ? RATING_WORDS[rating] : 'few'}
      </span>
      <SplitBar
        label={split}
        parts={[
          { className: 'part-good', value: good },
          { className: 'part-fair', value: needsImprovement },
          { className: 'part-poor', value: poor },
        ]}
      />
    </td>
  )
}
