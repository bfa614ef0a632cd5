import type { Change, Compared } from '@sonde/queries'
import { formatExact, formatShare } from '../../format/format-count.ts'
import { formatDuration } from '../../format/format-time.ts'
import { changeText } from './change-text.ts'

type ChangeCellProps = {
  readonly change: Change | undefined
  readonly measure: Compared
  readonly before: number | undefined
  /** Rows of this period and of the previous one. */
  readonly samples: readonly [now: number, before: number]
}

/** A change with its confidence interval, or why there is none. */
export function ChangeText({ change, measure, before, samples: [now, earlier] }: ChangeCellProps) {
  const text = change && changeText(change, measure)
  if (!text) {
    const why = `${formatExact(now)} samples now, ${formatExact(earlier)} in the previous period`
    return (
      <span className="muted" title={why}>
        {earlier === 0 ? 'no previous data' : 'not enough data'}
      </span>
    )
  }
  const was =
    before === undefined
      ? ''
      : `, before ${measure === 'failureRate' ? formatShare(before, 1) : formatDuration(before)}`
  return (
    <span className={`change change-${text.kind}`} title={`95% confidence interval ${text.between}${was}`}>
      <span className="num">{text.by}</span> <span className="change-verdict">{text.verdict}</span>
      <span className="change-between num">{text.between}</span>
    </span>
  )
}
