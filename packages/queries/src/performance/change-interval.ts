/**
 * By how much a measure changed between two windows, with a confidence interval, from what the engine's sketches tell.
 * Pure. The method, its sources and its limits: docs/internals/performance-changes.md;
 * `test/performance/change-interval.test.ts` holds it to its promise by simulation.
 */
import { quantileAt, type QuantileGrid } from './quantile-grid.ts'

/** A measure with the interval in which its true value lies in 19 of 20 samples. */
export type Estimate = { readonly value: number; readonly low: number; readonly high: number }

export type Change =
  | {
      readonly kind: 'known'
      /** Of percentiles the relative change (0.25: a quarter slower), of rates the difference of shares. */
      readonly by: number
      readonly low: number
      readonly high: number
    }
  /** Too few samples in one of the windows, or none at all, to say anything. */
  | { readonly kind: 'few' }

/** With fewer than these in either window the interval does not hold what it promises. */
export const MIN_COMPARED_SAMPLES = 30
/** Of the normal distribution, for 95 %. */
export const Z = 1.959964
/** The sketch keeps seven bits behind the first: a value stands for all up to this much above it. */
export const SKETCH_STEP = 1 / 128

/**
 * Woodruff's interval: ranks between which a percentile lies, read back as values. `samples` is effective, as of equal
 * weights. Undefined when an end would lie beyond the slowest that was measured.
 */
export function percentileEstimate(grid: QuantileGrid, samples: number): Estimate | undefined {
  if (samples < MIN_COMPARED_SAMPLES) return undefined
  const { level } = grid
  const error = Z * Math.sqrt((level * (1 - level)) / samples)
  if (level - error <= 0 || level + error >= 1) return undefined
  const value = quantileAt(grid, level) * (1 + SKETCH_STEP / 2)
  if (!(value > 0)) return undefined
  return {
    value,
    low: quantileAt(grid, level - error),
    high: quantileAt(grid, level + error) * (1 + SKETCH_STEP),
  }
}

/** Wilson's score interval, which is right for rare failures too: https://doi.org/10.1080/01621459.1927.10502953 */
export function rateEstimate(share: number, samples: number): Estimate | undefined {
  if (samples < MIN_COMPARED_SAMPLES) return undefined
  const square = (Z * Z) / samples
  const middle = (share + square / 2) / (1 + square)
  const arm = (Z / (1 + square)) * Math.sqrt((share * (1 - share)) / samples + square / (4 * samples))
  return { value: share, low: Math.max(0, middle - arm), high: Math.min(1, middle + arm) }
}

/** `(now - before) / before`. Taken of logarithms, so that twice as slow and half as slow are equally far from none. */
export function relativeChange(now: Estimate | undefined, before: Estimate | undefined): Change {
  if (!now || !before) return { kind: 'few' }
  const { by, low, high } = mover(logOf(now), logOf(before))
  return { kind: 'known', by: Math.expm1(by), low: Math.expm1(low), high: Math.expm1(high) }
}

/** `now - before`, in shares of one: Newcombe's interval (https://pubmed.ncbi.nlm.nih.gov/9595617/, method 10). */
export function shareChange(now: Estimate | undefined, before: Estimate | undefined): Change {
  return now && before ? { kind: 'known', ...mover(now, before) } : { kind: 'few' }
}

/** Whether the interval leaves no room for "it did not change". For all measures more is worse. */
export function verdictOf(change: Change): 'worse' | 'better' | 'undecided' | 'few' {
  if (change.kind === 'few') return 'few'
  return change.low > 0 ? 'worse' : change.high < 0 ? 'better' : 'undecided'
}

/** By how much it changed for sure: the end of the interval that is nearer to none, 0 when that is within. */
export function certainChange(change: Change): number {
  const verdict = verdictOf(change)
  if (change.kind === 'few') return 0
  return verdict === 'worse' ? change.low : verdict === 'better' ? change.high : 0
}

/**
 * The difference of two estimates from the arms of both, which need not be equally long (MOVER:
 * https://doi.org/10.1002/sim.3095).
 */
function mover(a: Estimate, b: Estimate): { by: number; low: number; high: number } {
  const by = a.value - b.value
  return {
    by,
    low: by - Math.hypot(a.value - a.low, b.high - b.value),
    high: by + Math.hypot(a.high - a.value, b.value - b.low),
  }
}

/** A duration of nothing has no logarithm; what is below a microsecond is nothing. */
const logOf = ({ value, low, high }: Estimate): Estimate => ({
  value: Math.log(Math.max(value, 1e-3)),
  low: Math.log(Math.max(low, 1e-3)),
  high: Math.log(Math.max(high, 1e-3)),
})
