import type { Change, Compared } from '@sonde/queries'
import { formatExact, formatShare } from '../../../../format/format-count.ts'
import { formatDuration } from '../../../../format/format-duration.ts'
import { changeText } from '../../../../parts/performance/change-text.ts'

type Props = {
  readonly change: Change | undefined
  readonly measure: Compared
  readonly before: number | undefined
  /** Rows of this window and of the one before. */
  readonly samples: readonly [now: number, before: number]
}

/** By how much it changed and between which ends that lies; or that nobody can tell, and why. */
export function ChangeText({ change, measure, before, samples: [now, earlier] }: Props) {
  const text = change && changeText(change, measure)
  if (!text) {
    const why = `${formatExact(now)} now, ${formatExact(earlier)} in the window before`
    return (
      <span className="muted" title={why}>
        {earlier === 0 ? 'none before' : 'too few samples to tell'}
      </span>
    )
  }
  const was =
    before === undefined
      ? ''
      : `, before ${measure === 'failureRate' ? formatShare(before, 1) : formatDuration(before)}`
  return (
    <span className={`change change-${text.kind}`} title={`95 % confidence interval ${text.between}${was}`}>
      <span className="num">{text.by}</span> <span className="change-verdict">{text.verdict}</span>
      <span className="change-between num">{text.between}</span>
    </span>
  )
}
