/** A measure as an expression over the rows of `metricRows`. Null where nothing was measured. */
import type { MeasuredMetric } from './metric-measures.ts'
import { isPercentile } from './metric-rows.ts'

/** `seconds`: what a rate is per second of. */
export function measureSql({ ref, measure }: MeasuredMetric, seconds: number): string {
  const { type } = ref
  if (isPercentile(measure)) return percentileSql(type, Number(measure.slice(1)) / 100)
  switch (measure) {
    case 'count':
      return 'sum(n)'
    case 'rate':
      return `sum(${type === 'counter' ? 'total' : 'n'}) / ${seconds}`
    case 'sum':
      // Of levels: the mean of the steps, where there are several.
      return type === 'gauge' ? 'sumOrNull(total) / uniqExact(slot)' : 'sum(total)'
    case 'avg':
      return type === 'gauge' ? 'avgOrNull(total)' : 'if(sum(n) > 0, sum(total) / sum(n), NULL)'
    case 'min':
      return 'minOrNull(total)'
    case 'max':
      return 'maxOrNull(total)'
    default:
      return 'argMaxOrNull(total, ts)'
  }
}

/**
 * Of single measurements exactly; of buckets by the share of its bucket that lies below, as if measurements lay evenly in it. A
 * summary's shares are of a thousand, and above its largest quantile nothing is known but that.
 */
function percentileSql(type: MeasuredMetric['ref']['type'], share: number): string {
  if (type === 'distribution') return `quantileExactInclusiveOrNull(${share})(total)`
  const all = type === 'summary' ? 'toFloat64(1000 * count())' : 'sum(arraySum(bucket_counts))'
  const sums = `arrayCumSum(held.2)`
  // What a step takes off was counted in a bucket that lay within one of now: what one has too little of, the next has too much.
  const below =
    type === 'histogram'
      ? `arrayMap(index -> arrayMax(arraySlice(${sums}, 1, index)), arrayEnumerate(held.2))`
      : sums
  const at = `arrayFirstIndex(counted -> counted > 0 AND counted >= ${share} * whole, sums)`
  const before = `if(${at} > 1, greatest(0, sums[${at} - 1]), 0)`
  const low = `lows.2[indexOf(lows.1, held.1[${at}])]`
  const value = `multiIf(whole <= 0, NULL, ${at} = 0, held.1[-1],
    ${low} + (held.1[${at}] - ${low}) * (${share} * whole - ${before}) / (sums[${at}] - ${before}))`
  return `arrayMap((held, lows, whole) -> arrayMap(sums -> ${value}, [${below}])[1],
    [sumMap(bucket_to, bucket_counts)], [minMap(bucket_to, bucket_from)], [${all}])[1]`
}
