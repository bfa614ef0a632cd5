/** A change in words and figures. Pure. */
import type { Change, Compared } from '@sonde/queries'

export type ChangeText = {
  /** `+25%`, `−3.4 points`. */
  readonly by: string
  /** `+12% to +40%`: the 95% confidence interval. */
  readonly between: string
  /** `slower`, `faster`, `more failures`, `fewer failures`, `no significant change`. */
  readonly verdict: string
  readonly kind: 'worse' | 'better' | 'undecided'
}

/** Undefined with too few samples. */
export function changeText(change: Change, measure: Compared): ChangeText | undefined {
  if (change.kind === 'few') return undefined
  const text = measure === 'failureRate' ? points : percent
  const kind = change.low > 0 ? 'worse' : change.high < 0 ? 'better' : 'undecided'
  return {
    by: text(change.by),
    between: `${text(change.low)} to ${text(change.high)}`,
    verdict: VERDICTS[measure === 'failureRate' ? 'failures' : 'time'][kind],
    kind,
  }
}

const VERDICTS = {
  time: { worse: 'slower', better: 'faster', undecided: 'no significant change' },
  failures: { worse: 'more failures', better: 'fewer failures', undecided: 'no significant change' },
} as const

/** `+4.2%`, `+25%`, `×12`; a true minus, so that figures align. */
function percent(share: number): string {
  if (share >= 9.995) return `×${Math.round(share + 1)}`
  return `${signOf(share)}${figure(share * 100)}%`
}

/** Differences of shares are points: from 2 % to 4 % is not "2 % more". */
const points = (share: number): string => `${signOf(share)}${figure(share * 100)} points`

function figure(value: number): string {
  const size = Math.abs(value)
  return size >= 9.95 ? String(Math.round(size)) : size.toFixed(1).replace(/\.0$/, '')
}

const signOf = (value: number): string => (value === 0 ? '±' : value < 0 ? '−' : '+')
