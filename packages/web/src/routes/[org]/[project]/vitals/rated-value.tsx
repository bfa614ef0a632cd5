import { type VitalName, vitalRating } from '@sonde/protocol/web-vitals'
import { MIN_RATED_VISITS } from '@sonde/queries/contract'
import { RATING_WORDS, vitalText } from '../../../../parts/vitals/vital-words.ts'

type Props = { readonly name: VitalName; readonly value: number; readonly samples: number }

/** A percentile with its rating, or without one when there is too little data. */
export function RatedValue({ name, value, samples }: Props) {
  if (samples < MIN_RATED_VISITS) {
    return (
      <span className="num muted" title={`${samples} of ${MIN_RATED_VISITS} page views that a rating needs`}>
        {vitalText(name, value)} <span className="vital-rating">low n</span>
      </span>
    )
  }
  const rating = vitalRating(name, value)
  return (
    <span className={`num vital-${rating}`}>
      {vitalText(name, value)} <span className="vital-rating">{RATING_WORDS[rating]}</span>
    </span>
  )
}
