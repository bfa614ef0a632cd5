import type { VitalChange } from '@sonde/queries'
import { formatExact } from '../../format/format-count.ts'

type Props = VitalChange & {
  /** What it is compared with; the window before unless told. */
  readonly against?: string
}

/** `12% slower than before`, with the interval as title; where it may be nothing it says so. */
export function ChangeText({
  name,
  change,
  samples: [now, before],
  against = 'the same length of time before',
}: Props) {
  if (change.kind === 'few') {
    const title = `${formatExact(now)} visits here, ${formatExact(before)} in ${against}: too few to compare`
    return (
      <span className="vital-change muted" title={title}>
        too few to compare
      </span>
    )
  }
  const { by, low, high } = change
  const [worse, better] = name === 'cls' ? ['more', 'less'] : ['slower', 'faster']
  const title = `75th percentile against ${against}: ${signed(by)}, in 19 of 20 cases between ${signed(low)} and ${signed(high)}`
  const isKnown = low > 0 || high < 0
  return (
    <span
      className={`vital-change ${isKnown ? (by > 0 ? 'vital-worse' : 'vital-better') : 'muted'}`}
      title={title}
    >
      {isKnown ? `${percent(Math.abs(by))} ${by > 0 ? worse : better} than before` : 'no sure change'}
    </span>
  )
}

const percent = (share: number): string =>
  share < 0.0995 ? `${(share * 100).toFixed(1).replace(/\.0$/, '')}%` : `${Math.round(share * 100)}%`
const signed = (share: number): string => `${share < 0 ? '−' : '+'}${percent(Math.abs(share))}`
