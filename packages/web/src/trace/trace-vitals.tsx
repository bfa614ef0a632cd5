import { formatDuration, formatShift } from '../format/format-duration.ts'

type Vital = {
  readonly name: string
  readonly value: number
  readonly thresholds: readonly [number, number]
}

/** The vitals of the page loads in the trace, each with its rating in words. */
export function TraceVitals({ vitals }: { readonly vitals: readonly Vital[] }) {
  if (vitals.length === 0) return null
  return (
    <ul className="trace-vitals" aria-label="Web vitals">
      {vitals.map(({ name, value, thresholds: [good, poor] }, index) => {
        const rating = value <= good ? 'good' : value > poor ? 'poor' : 'fair'
        return (
          <li key={index} className={`vital-${rating}`}>
            {name.toUpperCase()} {name === 'cls' ? formatShift(value) : formatDuration(value)}{' '}
            <span className="vital-rating">{rating === 'fair' ? 'needs work' : rating}</span>
          </li>
        )
      })}
    </ul>
  )
}
