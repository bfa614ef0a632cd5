/** Numbers extrapolated from sampled rows: each stored row counts as `1 / sample_rate`. The title names the sample. */
import { formatCount, formatExact } from '../../format/format-count.ts'

export type Extrapolated = {
  /** `≈12.3k`, without the sign when every one of them was stored. */
  readonly text: string
  /** `12,345 page views, extrapolated from 1 in 10 (1,234 stored)`. */
  readonly title: string
}

/** `samples`: rows that were stored. */
export function extrapolated(count: number, samples: number, noun: string): Extrapolated {
  const exact = exactly(count, noun)
  if (!isExtrapolated(count, samples)) return { text: formatCount(count), title: exact }
  const from = `extrapolated from ${keptShare(samples / count)} (${formatExact(samples)} stored)`
  return { text: `≈${formatCount(count)}`, title: `${exact}, ${from}` }
}

/**
 * Unique users among sampled rows. A user with several page views may have one of them stored, so the number of users
 * cannot be extrapolated: it is a lower bound.
 */
export function atLeast(
  people: number,
  { count, samples }: { readonly count: number; readonly samples: number },
  noun: string,
): Extrapolated {
  const exact = exactly(people, noun)
  if (people === 0 || !isExtrapolated(count, samples)) return { text: formatCount(people), title: exact }
  return {
    text: `≥${formatCount(people)}`,
    title: `at least ${exact}: ${keptShare(samples / count)} is stored`,
  }
}

const isExtrapolated = (count: number, samples: number): boolean => samples > 0 && Math.round(count) > samples

const exactly = (count: number, noun: string): string =>
  `${formatExact(count)} ${Math.round(count) === 1 ? noun : `${noun}s`}`

// Above this, "1 in 1.3" is harder to read than the share itself.
const MOST = 0.5

/** `1 in 10`, `1 in 2.5`, `66.7 in 100`; `none` and `all` at the ends. */
export function keptShare(rate: number): string {
  if (rate <= 0) return 'none'
  if (rate >= 1) return 'all'
  if (rate > MOST) return `${shortNumber(rate * 100)} in 100`
  return `1 in ${1 / rate >= 100 ? formatExact(1 / rate) : shortNumber(1 / rate)}`
}

/** One decimal, without a trailing zero. */
const shortNumber = (value: number): string => value.toFixed(1).replace(/\.0$/, '')
