/**
 * Whether a release is better or worse than the one before, from what changed with it. Pure. One verdict rests on many
 * measures, so the interval of each is widened: of releases that are alike fewer than one in twenty is called worse.
 * docs/release-verdict.md
 */
import { type Change, MIN_COMPARED_SAMPLES, Z } from '../performance/change-interval.ts'

/** What a release is judged by, and by how much each may differ without anybody caring. */
export const RELEASE_MEASURES = [
  { name: 'crashed_sessions', of: 'sessions', margin: 0.005, isRelative: false },
  { name: 'users_with_crash', of: 'users', margin: 0.005, isRelative: false },
  { name: 'users_with_error', of: 'users', margin: 0.01, isRelative: false },
  { name: 'failed_navigations', of: 'navigations', margin: 0.01, isRelative: false },
  { name: 'hung_navigations', of: 'navigations', margin: 0.01, isRelative: false },
  { name: 'error_rate', of: 'transactions', margin: 0.01, isRelative: false },
  { name: 'lcp', of: 'page loads', margin: 0.1, isRelative: true },
  { name: 'inp', of: 'page loads', margin: 0.1, isRelative: true },
  { name: 'cls', of: 'page loads', margin: 0.1, isRelative: true },
  { name: 'fcp', of: 'page loads', margin: 0.1, isRelative: true },
  { name: 'ttfb', of: 'page loads', margin: 0.1, isRelative: true },
] as const
export type ReleaseMeasure = (typeof RELEASE_MEASURES)[number]['name']

export type ReleaseVerdict = 'better' | 'same' | 'worse' | 'not_enough_data'

/** `release` and `before`: how many were measured of each. */
export type MeasuredChange = {
  readonly name: ReleaseMeasure
  readonly change: Change
  readonly release: number
  readonly before: number
}
export type JudgedMeasure = Omit<MeasuredChange, 'change'> & {
  readonly verdict: ReleaseVerdict
  /** What `release` and `before` count. */
  readonly of: (typeof RELEASE_MEASURES)[number]['of']
  /** Of vitals: `by` is the relative change of the 75th percentile, else the difference of shares. */
  readonly isRelative: boolean
  /** More is worse. Absent: too few. */
  readonly by?: number
  readonly low?: number
  readonly high?: number
  /** A difference within it is none. */
  readonly margin: number
  /** About so many more are needed of the release that has fewer; absent where they are many, of few people. */
  readonly needed?: number
}

export type JudgedRelease = {
  readonly verdict: ReleaseVerdict
  readonly release: string
  /** Undefined: it is the first. */
  readonly before: string | undefined
  readonly fromMs: number
  readonly toMs: number
  /** Those that somebody measured of either. */
  readonly measures: readonly JudgedMeasure[]
  /** Of which nobody sends anything of either: no verdict rests on them. */
  readonly absent: readonly ReleaseMeasure[]
}

/** Two-sided 95 % over all measures together, by Bonferroni, in arms of a single one's: Φ⁻¹(1 − 0.025/11) / Φ⁻¹(0.975). */
const WIDER = 2.8376 / Z
/** Nobody waits for more; the measure is not one to decide by. */
const MOST_NEEDED = 10_000_000

export function judgeMeasure({ name, change, release, before }: MeasuredChange): JudgedMeasure {
  const { of, margin, isRelative } = RELEASE_MEASURES.find((each) => each.name === name)!
  const fewer = Math.min(release, before)
  const base = { name, of, isRelative, margin, release, before }
  if (change.kind === 'few')
    return {
      ...base,
      verdict: 'not_enough_data',
      ...(fewer < MIN_COMPARED_SAMPLES && { needed: MIN_COMPARED_SAMPLES - fewer }),
    }
  const [by, low, high] = widenedChange(change, isRelative, WIDER)
  const told = { ...base, by, low, high }
  if (low > -margin && high < margin) return { ...told, verdict: 'same' }
  if (low > 0) return { ...told, verdict: 'worse' }
  if (high < 0) return { ...told, verdict: 'better' }
  // An interval narrows with the root of the number; it has to fit between the margins, or to leave nothing out.
  const times = ((high - low) / 2 / margin) ** 2
  const needed = Math.min(MOST_NEEDED, Math.ceil(fewer * Math.max(0.1, times - 1)))
  return { ...told, verdict: 'not_enough_data', needed: Math.max(1, needed) }
}

/** Worse in one measure is worse; with nothing decided nothing is said. */
export function judgeRelease(measures: readonly Pick<JudgedMeasure, 'verdict'>[]): ReleaseVerdict {
  const has = (verdict: ReleaseVerdict): boolean => measures.some((each) => each.verdict === verdict)
  if (has('worse')) return 'worse'
  if (has('better')) return 'better'
  return has('same') ? 'same' : 'not_enough_data'
}

/** With arms so many times as long: for an interval that is one of many. */
export function widenedChange(
  { by, low, high }: Extract<Change, { kind: 'known' }>,
  isRelative: boolean,
  times: number,
): readonly [by: number, low: number, high: number] {
  // A change of a ratio is wide in logarithms: twice as slow is as far from none as half as slow.
  const [into, back] = isRelative ? [Math.log1p, Math.expm1] : [Number, Number]
  const middle = into(by)
  return [by, back(middle - times * (middle - into(low))), back(middle + times * (into(high) - middle))]
}
