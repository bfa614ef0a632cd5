import { extrapolated } from './extrapolated.ts'

type Props = {
  /** Counted up with the stored rates. */
  readonly count: number
  /** Rows that were stored. */
  readonly samples: number
  readonly noun: string
}

/** `12.3k`, or `≈12.3k` when it was counted up from sampled rows; the title says from how many. */
export function ExtrapolatedCount({ count, samples, noun }: Props) {
  const { text, title } = extrapolated(count, samples, noun)
  return (
    <span className="num" title={title}>
      {text}
    </span>
  )
}
