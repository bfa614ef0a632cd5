/** A vital by its 75th percentile, by which Google rates, and the shares of visits by their own rating. */
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

export function summaryOf({ p75, samples, count, good, poor }: SummaryRow): VitalSummary {
  const whole = { count: Math.round(count), good: Math.round(good), poor: Math.round(poor) }
  const needsImprovement = Math.max(0, whole.count - whole.good - whole.poor)
  return { p75, samples, ...whole, needsImprovement }
}
