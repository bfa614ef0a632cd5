import { atLeast, extrapolated } from './extrapolated.ts'

type Props = {
  /** Extrapolated with the stored sample rates. */
  readonly count: number
  /** Rows that were stored. */
  readonly samples: number
  readonly noun: string
}

/** `12.3k`, or `≈12.3k` when it is extrapolated from sampled rows; the title says from how many. */
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
  /** The rows the users are counted in. */
  readonly of: { readonly count: number; readonly samples: number }
  readonly noun: string
}

/** Users cannot be extrapolated: `≥120` when only a sample of their page views is stored. */
export function AtLeastCount({ value, of, noun }: AtLeastProps) {
  const { text, title } = atLeast(value, of, noun)
  return (
    <span className="num" title={title}>
      {text}
    </span>
  )
}
