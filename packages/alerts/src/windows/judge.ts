/** Whether a window's value is trouble, by what the rule compares it with. */
import type { MetricValue } from '@sonde/queries'
import { ANOMALY_SENSITIVITIES } from '../contract.ts'
import type { MetricRule } from '../rules/rule.ts'

const HOUR_MS = 3_600_000
const WEEK_MS = 7 * 24 * HOUR_MS

/** Where to look for what is usual, as distances into the past. */
const PAST_MS: Readonly<Record<MetricRule['compare'], readonly number[]>> = {
  static: [],
  change: [WEEK_MS],
  // The same hour of the week and those beside it, four weeks back: enough to tell a Monday morning from a Sunday night.
  anomaly: [1, 2, 3, 4].flatMap((weeks) => [-HOUR_MS, 0, HOUR_MS].map((beside) => weeks * WEEK_MS + beside)),
}

export const pastOf = ({ compare }: Pick<MetricRule, 'compare'>): readonly number[] => PAST_MS[compare]

export type Judgement = {
  /** `unknown`: too few rows, or nothing to compare with; what is open stays open. */
  readonly state: 'firing' | 'calm' | 'unknown'
  /** What was compared: the value, or by how many per cent it differs. */
  readonly value: number | null
  /** What it was compared with, in the same unit. */
  readonly threshold: number | null
}

/** Fewer values of the past tell nothing of what is usual. */
const MIN_PAST = 6

/** `past`: the values at `pastOf`. `isOpen`: it fired and is not over. */
export function judge(
  rule: MetricRule,
  now: MetricValue,
  past: readonly MetricValue[],
  isOpen: boolean,
): Judgement {
  if (now.value === null || now.count < rule.minSample)
    // Nothing at all is a number where rows are counted: below a threshold is also none.
    return { state: 'unknown', value: now.value, threshold: null }
  if (rule.compare === 'anomaly') return anomaly(rule, now.value, past)
  const value = rule.compare === 'static' ? now.value : change(now.value, past[0]?.value ?? null)
  if (value === null) return { state: 'unknown', value: null, threshold: rule.trigger }
  const threshold = isOpen ? (rule.resolve ?? rule.trigger) : rule.trigger
  return { state: passes(rule, value, threshold) ? 'firing' : 'calm', value, threshold }
}

const passes = ({ direction }: Pick<MetricRule, 'direction'>, value: number, threshold: number): boolean =>
  direction === 'above' ? value > threshold : value < threshold

/** In per cent of what it was. Null: it was nothing, of which nothing is a multiple. */
const change = (now: number, before: number | null): number | null =>
  before === null || before === 0 ? null : ((now - before) / before) * 100

/** By the median and the median deviation: one bad Monday among four does not move them. */
function anomaly(rule: MetricRule, value: number, past: readonly MetricValue[]): Judgement {
  const known = past.flatMap((each) => (each.value === null ? [] : [each.value]))
  if (known.length < MIN_PAST) return { state: 'unknown', value, threshold: null }
  const usual = median(known)
  // 1.4826: of a normal distribution the median deviation is then the standard deviation. A tenth of the usual at least,
  // or what never varies would fire at the first visitor more.
  const spread = Math.max(1.4826 * median(known.map((each) => Math.abs(each - usual))), Math.abs(usual) / 10)
  const distance = ANOMALY_SENSITIVITIES[rule.sensitivity] * spread
  const threshold = rule.direction === 'above' ? usual + distance : usual - distance
  return { state: passes(rule, value, threshold) ? 'firing' : 'calm', value, threshold }
}

function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b)
  const middle = Math.floor(sorted.length / 2)
  const upper = sorted[middle] ?? 0
  return sorted.length % 2 === 1 ? upper : ((sorted[middle - 1] ?? 0) + upper) / 2
}
