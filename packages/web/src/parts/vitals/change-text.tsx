import type { VitalChange } from '@sonde/queries'
import { formatExact } from '../../format/format-count.ts'

type Props = VitalChange & {
  /** What the value is compared with; the previous period by default. */
  readonly against?: string
}

/** `12% slower than before`, with the confidence interval as title, or `no significant change`. */
export function ChangeText({ name, change, samples: [now, before], against = 'the previous period' }: Props) {
  if (change.kind === 'few') {
    const title = `${formatExact(now)} page views here, ${formatExact(before)} in ${against}: not enough data to compare`
    return (
      <span className="vital-change muted" title={title}>
        not enough data
      </span>
    )
  }
  const { by, low, high } = change
  const [worse, better] = name === 'cls' ? ['more', 'less'] : ['slower', 'faster']
  const title = `75th percentile vs. ${against}: ${signed(by)} (95% confidence: ${signed(low)} to ${signed(high)})`
  const isSignificant = low > 0 || high < 0
  return (
    <span
      className={`vital-change ${isSignificant ? (by > 0 ? 'vital-worse' : 'vital-better') : 'muted'}`}
      title={title}
    >
      {isSignificant
        ? `${percent(Math.abs(by))} ${by > 0 ? worse : better} than before`
        : 'no significant change'}
    </span>
  )
}

const percent = (share: number): string =>
  share < 0.0995 ? `${(share * 100).toFixed(1).replace(/\.0$/, '')}%` : `${Math.round(share * 100)}%`
const signed = (share: number): string => `${share < 0 ? '−' : '+'}${percent(Math.abs(share))}`
