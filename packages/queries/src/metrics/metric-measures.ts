/**
 * What is computed of a metric, by its type: names, and how a metric with its measure is written in one text, as alert rules
 * and the API have it: `p95(http.server.request.duration,histogram,s)`. Pure; screens know it too.
 */
export const METRIC_TYPES = ['counter', 'gauge', 'distribution', 'histogram', 'summary'] as const
export type MetricType = (typeof METRIC_TYPES)[number]

/** Metrics of one name that differ in type or unit are not added up. */
export type MetricRef = {
  readonly name: string
  readonly type: MetricType
  /** Empty: none. */
  readonly unit: string
}

/** The first of each is the one that a screen begins with. */
export const MEASURES_OF_TYPE = {
  counter: ['rate', 'sum'],
  gauge: ['avg', 'min', 'max', 'last', 'sum'],
  distribution: ['p95', 'p50', 'p75', 'p90', 'p99', 'avg', 'min', 'max', 'sum', 'count', 'rate'],
  histogram: ['p95', 'p50', 'p75', 'p90', 'p99', 'avg', 'sum', 'count', 'rate'],
  summary: ['p95', 'p50', 'p75', 'p90', 'p99', 'avg', 'sum', 'count', 'rate'],
} as const satisfies Readonly<Record<MetricType, readonly string[]>>
export type PointMeasure = (typeof MEASURES_OF_TYPE)[MetricType][number]

/** Undefined: nothing of that name can be computed of that type. */
export const pointMeasure = (type: MetricType, name: string): PointMeasure | undefined =>
  (MEASURES_OF_TYPE[type] as readonly PointMeasure[]).find((each) => each === name)

/** `''`: it has no unit but is a plain number. Of a rate it is what one second is counted in. */
export function unitOfMeasure(
  { type, unit }: Pick<MetricRef, 'type' | 'unit'>,
  measure: PointMeasure,
): string {
  if (measure === 'count') return ''
  if (measure === 'rate') return type === 'counter' ? unit : ''
  return unit
}

export type MeasuredMetric = { readonly ref: MetricRef; readonly measure: PointMeasure }

const NO_UNIT = '-'

export const measuredText = ({ ref, measure }: MeasuredMetric): string =>
  `${measure}(${ref.name},${ref.type},${ref.unit === '' ? NO_UNIT : ref.unit})`

/** Names may hold commas and brackets; types and units hold none. Undefined: it is none. */
export function readMeasured(text: string): MeasuredMetric | undefined {
  const [, called = '', name = '', typed = '', unit = ''] =
    /^([a-z\d]{1,8})\((.+),([a-z]{1,12}),([^,()]{1,64})\)$/su.exec(text) ?? []
  const type = METRIC_TYPES.find((each) => each === typed)
  const measure = type && pointMeasure(type, called)
  if (type === undefined || measure === undefined || name.length > 200) return undefined
  return { ref: { name, type, unit: unit === NO_UNIT ? '' : unit }, measure }
}

/** A measure as Sentry's Explore writes it, with what it is shown as. */
export type AskedMeasure = MeasuredMetric & {
  readonly kind: 'integer' | 'number' | 'duration' | 'rate'
  readonly unit: string | null
  /** What the measure is multiplied by. */
  readonly times: number
}

const RATES: ReadonlyMap<string, { readonly times: number; readonly unit: string }> = new Map([
  ['rate', { times: 1, unit: '1/second' }],
  ['per_second', { times: 1, unit: '1/second' }],
  ['per_minute', { times: 60, unit: '1/minute' }],
])

/**
 * `p95(value,http.server.request.duration,histogram,s)`; `none` and `-` are no unit, names may hold commas. `count`, `per_second`
 * and `per_minute` are of every type: of counters what they grew by, of all others how often was measured. Undefined: it names no
 * metric, or nothing that can be computed of its type.
 */
export function askedMeasure(text: string): AskedMeasure | undefined {
  const open = text.indexOf('(')
  if (open < 1 || !text.endsWith(')') || text.length > 400) return undefined
  const parts = text.slice(open + 1, -1).split(',')
  const args = parts[0]?.trim() === 'value' ? parts.slice(1) : parts
  const [typed = '', unitText = ''] = args.slice(-2).map((part) => part.trim())
  const name = args.slice(0, -2).join(',').trim()
  const type = METRIC_TYPES.find((each) => each === typed)
  if (type === undefined || name === '') return undefined
  const ref = { name, type, unit: unitText === 'none' || unitText === NO_UNIT ? '' : unitText }
  const called = text.slice(0, open)
  const rate = RATES.get(called)
  if (rate) return { ref, measure: 'rate', kind: 'rate', ...rate }
  if (called === 'count') return { ref, measure: 'count', kind: 'integer', unit: null, times: 1 }
  const measure = pointMeasure(type, called)
  if (measure === undefined) return undefined
  const isTime = msOfUnit(ref.unit) !== undefined
  return {
    ref,
    measure,
    kind: isTime ? 'duration' : 'number',
    unit: isTime ? (LONG_NAMES.get(ref.unit) ?? ref.unit) : ref.unit || null,
    times: 1,
  }
}

const LONG_NAMES: ReadonlyMap<string, string> = new Map([
  ['ns', 'nanosecond'],
  ['us', 'microsecond'],
  ['ms', 'millisecond'],
  ['s', 'second'],
  ['min', 'minute'],
  ['h', 'hour'],
  ['d', 'day'],
])

const MS_OF_UNIT: ReadonlyMap<string, number> = new Map([
  ['ns', 1e-6],
  ['nanosecond', 1e-6],
  ['us', 1e-3],
  ['microsecond', 1e-3],
  ['ms', 1],
  ['millisecond', 1],
  ['s', 1_000],
  ['second', 1_000],
  ['min', 60_000],
  ['minute', 60_000],
  ['h', 3_600_000],
  ['hour', 3_600_000],
  ['d', 86_400_000],
  ['day', 86_400_000],
])

/** How many milliseconds one of it is, of units of UCUM and of Sentry's SDKs; undefined: it is no time. */
export const msOfUnit = (unit: string): number | undefined => MS_OF_UNIT.get(unit)
