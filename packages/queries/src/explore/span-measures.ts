/**
 * What is computed of a group of spans, written as in Sentry's public API: `count()`, `p95(span.duration)`,
 * `count_unique(user)`. Counts, sums and averages stand for what was sampled too; percentiles weigh each row by it.
 */
import { HAS_FAILED as FAILED } from '@sonde/stores'
import { WEIGHT } from '../performance/performance-filter.ts'
import type { SpanSum } from '../performance/span-sums.ts'
import { type Bind, ExploreError } from './bounded-query.ts'
import { attributeNumber, attributeText, readName, type SpanField, spanFieldOf } from './span-fields.ts'

const MEASURES = [
  'count',
  'count_unique',
  'epm',
  'eps',
  'first_seen',
  'last_seen',
  'failure_rate',
  'failure_count',
  'avg',
  'p50',
  'p75',
  'p90',
  'p95',
  'p99',
  'p100',
  'sum',
  'min',
  'max',
] as const
export type MeasureName = (typeof MEASURES)[number]

/** What a value is, and so how it is shown. */
export type ValueKind =
  | 'integer'
  | 'number'
  | 'duration'
  | 'percentage'
  | 'rate'
  | 'string'
  | 'date'
  | 'boolean'
export type Measure = {
  /** As it was asked for. */
  readonly text: string
  readonly kind: ValueKind
  /** `millisecond`, `1/minute`, `1/second`. */
  readonly unit: string | null
  readonly sql: string
  readonly name: MeasureName
  /** The same of sums of spans; absent: what is summed up ahead does not tell it. */
  readonly ofSums?: { readonly sql: string; readonly sums: readonly SpanSum[] } | undefined
}

export { HAS_FAILED as FAILED } from '@sonde/stores'

/** What rows of a table have to be measured by. */
export type MeasuredRows = {
  readonly fieldOf: (name: string, isTag?: boolean) => SpanField | undefined
  /** Column of which a measure without an argument is. */
  readonly duration: string
  /** How many a row stands for, and the same as a whole number. */
  readonly each: string
  readonly weight: string
}
const SPAN_NUMBERS: MeasuredRows = {
  fieldOf: spanFieldOf,
  duration: 'duration_ms',
  each: '1 / sample_rate',
  weight: WEIGHT,
}
const CALL = /^([a-z][a-z0-9_]*)\((.*)\)$/s
const SHARES: Readonly<Record<string, number>> = { p50: 0.5, p75: 0.75, p90: 0.9, p95: 0.95, p99: 0.99 }

/** Whether a field of the API is one: `p95(x)`. */
export const isMeasure = (text: string): boolean => CALL.test(text)

/** Throws `ExploreError`. `minutes`: of the window, for rates. */
export function readMeasure(
  text: string,
  minutes: number,
  bind: Bind,
  rows: MeasuredRows = SPAN_NUMBERS,
): Measure {
  const measure = rowMeasure(text, minutes, bind, rows)
  const [, , argument = ''] = CALL.exec(text) ?? []
  const isOfSpans = rows === SPAN_NUMBERS && (argument === '' || isDuration(argument, rows))
  return isOfSpans ? { ...measure, ofSums: sumsOf(measure.name, minutes) } : measure
}

function sumsOf(name: MeasureName, minutes: number): Measure['ofSums'] {
  const share = SHARES[name]
  if (share !== undefined) return { sql: `quantileBFloat16WeightedMerge(${share})(levels)`, sums: ['levels'] }
  const all = 'sum(counted)'
  if (name === 'count') return { sql: all, sums: ['counted'] }
  if (name === 'epm') return { sql: `${all} / ${minutes}`, sums: ['counted'] }
  if (name === 'eps') return { sql: `${all} / ${minutes * 60}`, sums: ['counted'] }
  if (name === 'sum') return { sql: 'sum(spentMs)', sums: ['spentMs'] }
  if (name === 'failure_count') return { sql: 'sum(failed)', sums: ['failed'] }
  if (name === 'failure_rate') return { sql: `sum(failed) / ${all}`, sums: ['failed', 'counted'] }
  if (name === 'min') return { sql: 'min(shortest)', sums: ['shortest'] }
  if (name === 'max' || name === 'p100') return { sql: 'max(longest)', sums: ['longest'] }
  return name === 'avg' ? { sql: `sum(spentMs) / ${all}`, sums: ['spentMs', 'counted'] } : undefined
}

function rowMeasure(text: string, minutes: number, bind: Bind, rows: MeasuredRows): Measure {
  const { each } = rows
  const all = `sum(${each})`
  const [, called = '', argument = ''] = CALL.exec(text) ?? []
  const name = MEASURES.find((measure) => measure === called)
  if (name === undefined)
    throw new ExploreError(`"${text}" cannot be computed`, `Known are ${MEASURES.join('(), ')}().`)
  const made = (sql: string, kind: ValueKind, unit: string | null = null): Measure => ({
    text,
    name,
    kind,
    unit,
    sql,
  })
  switch (name) {
    case 'count':
      return made(
        argument === '' || isDuration(argument, rows) ? all : ofNumber(argument, bind, countOf, rows),
        'integer',
      )
    case 'epm':
      return made(`${all} / ${minutes}`, 'rate', '1/minute')
    case 'eps':
      return made(`${all} / ${minutes * 60}`, 'rate', '1/second')
    case 'first_seen':
      return made('toUnixTimestamp64Milli(min(timestamp))', 'date')
    case 'last_seen':
      return made('toUnixTimestamp64Milli(max(timestamp))', 'date')
    case 'failure_count':
      return made(`sumIf(${each}, ${FAILED})`, 'integer')
    case 'failure_rate':
      return made(`sumIf(${each}, ${FAILED}) / ${all}`, 'percentage')
    case 'count_unique': {
      if (argument === '')
        throw new ExploreError('count_unique() needs a field', 'For example count_unique(user).')
      const sql = textOf(argument, bind, rows)
      return made(`uniqIf(${sql}, ${sql} != '')`, 'integer')
    }
    default: {
      const isTime = argument === '' || isDuration(argument, rows)
      return made(
        ofNumber(argument, bind, FORMS[name], rows),
        isTime ? 'duration' : 'number',
        isTime ? 'millisecond' : null,
      )
    }
  }
}

type Form = (value: string, has: string | undefined, rows: MeasuredRows) => string
const percentile =
  (share: number): Form =>
  (value, has, { weight }) =>
    has === undefined
      ? `quantileBFloat16Weighted(${share})(${value}, ${weight})`
      : `quantileBFloat16WeightedIf(${share})(${value}, ${weight}, ${has})`
const simple =
  (name: string): Form =>
  (value, has) =>
    has === undefined ? `${name}(${value})` : `${name}If(${value}, ${has})`
const weighed: Form = (value, has, rows) => simple('sum')(`${value} * ${rows.each}`, has, rows)
const countOf: Form = (_value, has, rows) => simple('sum')(rows.each, has, rows)
const FORMS: Readonly<
  Record<
    Exclude<
      MeasureName,
      'count' | 'count_unique' | 'epm' | 'eps' | 'first_seen' | 'last_seen' | 'failure_rate' | 'failure_count'
    >,
    Form
  >
> = {
  p50: percentile(SHARES['p50'] ?? 0),
  p75: percentile(SHARES['p75'] ?? 0),
  p90: percentile(SHARES['p90'] ?? 0),
  p95: percentile(SHARES['p95'] ?? 0),
  p99: percentile(SHARES['p99'] ?? 0),
  p100: simple('max'),
  min: simple('min'),
  max: simple('max'),
  sum: weighed,
  avg: (value, has, rows) => `${weighed(value, has, rows)} / ${countOf(value, has, rows)}`,
}

function ofNumber(argument: string, bind: Bind, form: Form, rows: MeasuredRows): string {
  if (argument === '') return form(rows.duration, undefined, rows)
  const { name, isTag } = readName(argument)
  const field = rows.fieldOf(name, isTag)
  if (field && field.kind !== 'duration' && field.kind !== 'number')
    throw new ExploreError(`"${argument}" is no number`, 'Numbers are durations and numeric attributes.')
  if (field) return form(field.sql, undefined, rows)
  const { sql, has } = attributeNumber(name, bind)
  return form(sql, has, rows)
}

function textOf(argument: string, bind: Bind, { fieldOf }: MeasuredRows): string {
  const { name, isTag } = readName(argument)
  const field = fieldOf(name, isTag)
  return field ? (field.kind === 'text' ? field.sql : `toString(${field.sql})`) : attributeText(name, bind)
}

function isDuration(argument: string, { fieldOf }: MeasuredRows): boolean {
  const { name, isTag } = readName(argument)
  return fieldOf(name, isTag)?.kind === 'duration'
}
