/** Values of metrics in the unit that they were sent in, short. Pure. */
import { type MetricRef, msOfUnit, type PointMeasure, unitOfMeasure } from '@sonde/queries/contract'
import { formatBytes, formatExact, formatRateShare } from '../../../../format/format-count.ts'
import { formatDuration } from '../../../../format/format-time.ts'

const BYTES: ReadonlyMap<string, number> = new Map([
  ['by', 1],
  ['byte', 1],
  ['bytes', 1],
  ['bit', 1 / 8],
  ['kby', 1e3],
  ['kilobyte', 1e3],
  ['kiby', 1024],
  ['kibibyte', 1024],
  ['mby', 1e6],
  ['megabyte', 1e6],
  ['miby', 1024 ** 2],
  ['mebibyte', 1024 ** 2],
  ['gby', 1e9],
  ['gigabyte', 1e9],
  ['giby', 1024 ** 3],
  ['gibibyte', 1024 ** 3],
])

export function metricValueText(ref: MetricRef, measure: PointMeasure, value: number): string {
  const unit = unitOfMeasure(ref, measure)
  const text = amountText(unit, value)
  return measure === 'rate' ? `${text}/s` : text
}

function amountText(unit: string, value: number): string {
  const ms = msOfUnit(unit)
  if (ms !== undefined && value >= 0) return formatDuration(value * ms)
  const bytes = BYTES.get(unit.toLowerCase())
  if (bytes !== undefined && value >= 0) return formatBytes(Math.round(value * bytes))
  if (unit === '%' || unit === 'percent') return `${numberText(value)}%`
  if (unit === 'ratio' && value >= 0) return formatRateShare(value)
  // `{request}` is only a remark on what is counted.
  const named = unit.replace(/^\{([^{}]*)\}$/, '$1')
  return named === '' ? numberText(value) : `${numberText(value)} ${named}`
}

const numberText = (value: number): string =>
  Math.abs(value) >= 1_000 ? formatExact(Math.round(value)) : String(Number(value.toPrecision(4)))

const NAMES: Readonly<Record<PointMeasure, string>> = {
  rate: 'Rate',
  sum: 'Sum',
  avg: 'Average',
  min: 'Minimum',
  max: 'Maximum',
  last: 'Last value',
  count: 'Count',
  p50: 'p50',
  p75: 'p75',
  p90: 'p90',
  p95: 'p95',
  p99: 'p99',
}

/** Of levels the sum is of the last value of each series. */
export const measureName = (measure: PointMeasure, type: MetricRef['type']): string =>
  measure === 'sum' && type === 'gauge' ? 'Sum of series' : NAMES[measure]
