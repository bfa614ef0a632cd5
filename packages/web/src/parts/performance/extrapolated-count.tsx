import { atLeast, extrapolated } from './extrapolated.ts'

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

type AtLeastProps = {
  readonly value: number
  /** What the people are among. */
  readonly of: { readonly count: number; readonly samples: number }
  readonly noun: string
}

/** People cannot be counted up: `≥120` where only a share of their visits is stored. */
export function AtLeastCount({ value, of, noun }: AtLeastProps) {
  const { text, title } = atLeast(value, of, noun)
  return (
    <span className="num" title={title}>
      {text}
    </span>
  )
}
