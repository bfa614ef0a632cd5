/** Buckets of every kind of histogram as ranges of values with counts; empty ones are left out. */
import type { OtlpPoint } from '../otlp/otlp-metrics.ts'
import type { Buckets } from './metric.ts'

type Range = readonly [from: number, to: number, count: number]

const asBuckets = (ranges: readonly Range[]): Buckets => {
  const kept = ranges.filter(
    ([from, to, count]) => count > 0 && Number.isFinite(from) && Number.isFinite(to) && from <= to,
  )
  return {
    bucketFrom: kept.map(([from]) => from),
    bucketTo: kept.map(([, to]) => to),
    bucketCounts: kept.map(([, , count]) => count),
  }
}

/**
 * The first has no lower end and the last no upper one: there the smallest and largest measurement stand, else zero or
 * the nearest end.
 */
export function explicitBuckets({ bounds, bucketCounts, min, max }: OtlpPoint): Buckets {
  const first = bounds[0]
  const last = bounds.at(-1)
  if (first === undefined || last === undefined)
    return asBuckets([[min ?? 0, max ?? 0, bucketCounts[0] ?? 0]])
  return asBuckets(
    bucketCounts.slice(0, bounds.length + 1).map((count, index): Range => {
      const from = bounds[index - 1] ?? Math.min(min ?? 0, first)
      const to = bounds[index] ?? Math.max(max ?? last, last)
      return [from, to, count]
    }),
  )
}

/** https://opentelemetry.io/docs/specs/otel/metrics/data-model/#exponentialhistogram */
export function exponentialBuckets({ scale, zeroCount, positive, negative }: OtlpPoint): Buckets {
  const base = 2 ** (1 / 2 ** scale)
  const end = (index: number): number => base ** index
  const above = positive.counts.map((count, at): Range => {
    const index = positive.offset + at
    return [end(index), end(index + 1), count]
  })
  const below = negative.counts.map((count, at): Range => {
    const index = negative.offset + at
    return [-end(index + 1), -end(index), count]
  })
  return asBuckets([...below.toReversed(), [0, 0, zeroCount], ...above])
}

/** A thousand in all: between two quantiles lies the share of measurements that they say. */
export function summaryBuckets({ quantiles }: OtlpPoint): Buckets {
  const ordered = quantiles
    .filter(({ quantile }) => quantile >= 0 && quantile <= 1)
    .toSorted((a, b) => a.quantile - b.quantile)
  return asBuckets(
    ordered.map(({ quantile, value }, index): Range => {
      const before = ordered[index - 1]
      const share = Math.round((quantile - (before?.quantile ?? 0)) * 1000)
      return [Math.min(before?.value ?? value, value), value, share]
    }),
  )
}
