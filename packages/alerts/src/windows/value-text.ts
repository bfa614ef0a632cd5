/** A metric and its value for people. */
import { isWritten, type Metric, METRIC_MEASURES, readMeasured, unitOfMeasure } from '@sonde/queries/contract'

export function measureText({ source, measure }: Metric): string {
  if (isWritten(source)) {
    const measured = source === 'metrics' ? readMeasured(measure) : undefined
    return measured === undefined ? measure : `${measured.measure}(${measured.ref.name})`
  }
  return METRIC_MEASURES[source].find((each) => each.measure === measure)?.label ?? measure
}

const MS_IN_SECOND = 1_000

export function valueText(metric: Metric, value: number): string {
  switch (metricKind(metric)) {
    case 'percentage':
      // Of rates near all, what is missing is the news: 99.95 % is not 100 %.
      return `${rounded(value * 100, value > 0.99 && value < 1 ? 2 : 1)} %`
    case 'duration':
      return value >= MS_IN_SECOND ? `${rounded(value / MS_IN_SECOND, 2)} s` : `${rounded(value, 0)} ms`
    case 'integer':
      return new Intl.NumberFormat('en').format(Math.round(value))
    default:
      return `${rounded(value, 3)}${unitText(metric)}`
  }
}

/** `integer`, `number`, `duration` (in milliseconds) or `percentage` (a share: 0 to 1). */
export function metricKind({ source, measure }: Pick<Metric, 'source' | 'measure'>): string {
  if (source === 'metrics') return 'number'
  if (source !== 'spans')
    return METRIC_MEASURES[source].find((each) => each.measure === measure)?.kind ?? 'number'
  if (/^(?:count|count_unique|failure_count)\(/.test(measure)) return 'integer'
  if (measure.startsWith('failure_rate(')) return 'percentage'
  return /^(?:p\d+|avg|min|max|sum)\((?:|(?:span|transaction)\.duration|duration)\)$/.test(measure)
    ? 'duration'
    : 'number'
}

/** Values of metrics are in the unit that they were sent in. */
function unitText({ source, measure }: Metric): string {
  const measured = source === 'metrics' ? readMeasured(measure) : undefined
  if (measured === undefined) return ''
  const unit = unitOfMeasure(measured.ref, measured.measure)
  return `${unit === '' ? '' : ` ${unit}`}${measured.measure === 'rate' ? '/s' : ''}`
}

const rounded = (value: number, digits: number): number => Number(value.toFixed(digits))
