/** A vital by its 75th percentile, by which Google rates, and the shares of visits by their own rating. */
import { VITAL_NAMES, VITAL_THRESHOLDS } from '@sonde/protocol/web-vitals'

export type VitalSummary = {
  /** Milliseconds; CLS has no unit. */
  readonly p75: number
  /** Visits that were measured: with few, the percentile is an accident. */
  readonly samples: number
  /** Numbers of visits, counted up from what was sampled. */
  readonly count: number
  readonly good: number
  readonly needsImprovement: number
  readonly poor: number
}

export type SummaryRow = {
  readonly p75: number
  readonly samples: number
  readonly count: number
  readonly good: number
  readonly poor: number
}

/** Visits by their own rating, of rows that have a `name`. */
export const ratedVisits = (rating: 'good' | 'poor'): string =>
  rating === 'good'
    ? `sumIf(1 / sample_rate, value <= ${threshold(0)})`
    : `sumIf(1 / sample_rate, value > ${threshold(1)})`

/** As literals: they are ours, and the engine folds them. */
function threshold(at: 0 | 1): string {
  const values = VITAL_NAMES.map((name) => VITAL_THRESHOLDS[name][at])
  const names = VITAL_NAMES.map((name) => `'${name}'`).join(', ')
  return `transform(name, [${names}], [${values.join(', ')}], 0.)`
}

export function summaryOf({ p75, samples, count, good, poor }: SummaryRow): VitalSummary {
  const whole = { count: Math.round(count), good: Math.round(good), poor: Math.round(poor) }
  const needsImprovement = Math.max(0, whole.count - whole.good - whole.poor)
  return { p75, samples, ...whole, needsImprovement }
}
