import { type VitalName, vitalRating } from '@sonde/protocol/web-vitals'
import { MIN_RATED_VISITS } from '@sonde/queries/contract'
import { RATING_WORDS, vitalText } from '../../../../parts/vitals/vital-words.ts'

type Props = { readonly name: VitalName; readonly value: number; readonly samples: number }

/** A percentile with its rating; of too few visits without it, and it says so. */
export function FewOr({ name, value, samples }: Props) {
  if (samples < MIN_RATED_VISITS) {
    return (
      <span
        className="num muted"
        title={`Of ${samples} ${samples === 1 ? 'visit' : 'visits'}: a rating takes ${MIN_RATED_VISITS}`}
      >
        {vitalText(name, value)} <span className="vital-rating">few</span>
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
