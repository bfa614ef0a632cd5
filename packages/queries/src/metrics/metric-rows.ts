/**
 * Rows that measures are computed of: what each point, or each step of a cumulative series, adds. A cumulative series grew by
 * the difference to the point before; where it fell, or counts from another start, the whole value counts
 * (docs/decisions/0057-metrics.md).
 */
import type { Bind } from '../explore/bounded-query.ts'
import type { MeasuredMetric, MetricRef } from './metric-measures.ts'

/** So long before the first step the point is looked for that its growth begins with: exporters send each minute. */
export const LOOKBACK_MS = 15 * 60_000

export type MetricRowsInput = MeasuredMetric & {
  /** Of the columns of `metrics`, from `LOOKBACK_MS` before `fromMs` on. */
  readonly where: string
  /** By which rows are put together: a text. */
  readonly key: string
  /** When a row counts. */
  readonly time: 'timestamp' | 'received'
  /** Unix milliseconds: rows before it are only what growth is measured from. */
  readonly fromMs: number
  /** Beginning of step 0, at or before `fromMs`. */
  readonly originMs: number
  readonly stepMs: number
}

/**
 * A statement in brackets, with the columns `project_id`, `slot` (the step), `at_ms`, `ts`, `key`, `series`, `n` (measurements;
 * points of counters and gauges), `total`, and `bucket_from`, `bucket_to`, `bucket_counts`.
 */
export function metricRows(input: MetricRowsInput, bind: Bind): string {
  const { ref, measure } = input
  const step = stepOf(input, bind)
  const metric = `${input.where} AND ${metricIs(ref, bind)}`
  // What a summary says of its quantiles is of its own time, not of all since its start.
  const isAsTold = ref.type === 'summary' && isPercentile(measure)
  const isLevel = ref.type === 'gauge' && measure === 'sum'
  if (isLevel) return levelRows(input, step, metric)
  const plain = plainRows(input, step, isAsTold ? metric : `${metric} AND temporality != 'cumulative'`)
  if (isAsTold || ref.type === 'gauge' || ref.type === 'distribution') return `(${plain})`
  const cumulative = `${metric} AND temporality = 'cumulative'`
  const grown =
    ref.type === 'counter'
      ? grownCounters(input, step, cumulative, bind)
      : grownHistograms(input, step, cumulative, bind)
  return `(${plain} UNION ALL ${grown})`
}

export const isPercentile = (measure: string): boolean => /^p\d\d$/.test(measure)

const metricIs = ({ name, type, unit }: MetricRef, bind: Bind): string =>
  `name = ${bind(name)} AND type = ${bind(type)} AND unit = ${bind(unit)}`

/** -1 before the first: there the engine's division would round to 0. */
const stepOf = ({ time, fromMs, originMs, stepMs }: MetricRowsInput, bind: Bind): string =>
  `if(${msOf(time)} < ${bind(fromMs, 'Int64')}, -1, intDiv(${msOf(time)} - ${bind(originMs, 'Int64')}, ${bind(stepMs, 'Int64')}))`

const msOf = (time: MetricRowsInput['time']): string => `toUnixTimestamp64Milli(${time})`

const NO_BUCKETS =
  'emptyArrayFloat64() AS bucket_from, emptyArrayFloat64() AS bucket_to, emptyArrayFloat64() AS bucket_counts'

const plainRows = ({ key, time, measure }: MetricRowsInput, step: string, where: string): string =>
  `SELECT project_id, toInt64(${step}) AS slot, ${msOf(time)} AS at_ms, timestamp AS ts, ${key} AS key, series, count AS n,
     value AS total, ${isPercentile(measure) ? 'bucket_from, bucket_to, bucket_counts' : NO_BUCKETS}
   FROM metrics WHERE ${where} AND slot >= 0`

/** The last value of each series in each step: those of one step are added up. */
const levelRows = ({ key, time }: MetricRowsInput, step: string, where: string): string =>
  `(SELECT project_id, toInt64(${step}) AS slot, max(${msOf(time)}) AS at_ms, max(timestamp) AS ts, ${key} AS key, series,
      count() AS n, argMax(value, timestamp) AS total, ${NO_BUCKETS}
    FROM metrics WHERE ${where} AND slot >= 0 GROUP BY project_id, slot, key, series)`

/** Programs that name themselves alike have one series, but each its own start. */
const PARTITION = 'PARTITION BY project_id, series, since ORDER BY'

/** A program that began within the time that is read had counted nothing before. */
const isBegun = ({ fromMs }: MetricRowsInput, bind: Bind): string =>
  `since >= ${bind(Math.max(1, fromMs - LOOKBACK_MS), 'DateTime64(3)')}`

const grownCounters = (input: MetricRowsInput, step: string, where: string, bind: Bind): string =>
  `SELECT project_id, slot, at_ms, ts, key, series, n,
     within + multiIf(place > 1, if(first < before, first, first - before), ${isBegun(input, bind)}, first, 0) AS total, ${NO_BUCKETS}
   FROM (
     SELECT *, lagInFrame(last) OVER w AS before, row_number() OVER w AS place
     FROM (
       SELECT project_id, series, start AS since, toInt64(${step}) AS slot, ${input.key} AS key, max(${msOf(input.time)}) AS at_ms,
         max(timestamp) AS ts, toFloat64(count()) AS n,
         arraySort(groupArray((timestamp, value))).2 AS told, told[1] AS first, told[-1] AS last,
         arraySum(arrayMap((a, b) -> if(b < a, b, b - a), arrayPopBack(told), arrayPopFront(told))) AS within
       FROM metrics WHERE ${where} GROUP BY project_id, series, since, slot, key
     ) WINDOW w AS (${PARTITION} slot ROWS BETWEEN 1 PRECEDING AND CURRENT ROW)
   ) WHERE slot >= 0`

/**
 * By the last point of each step: its buckets count in its step, and are taken off in the next that goes on from there. So no
 * series' buckets are held against one another, which ten thousand series have no time for.
 */
function grownHistograms(input: MetricRowsInput, step: string, where: string, bind: Bind): string {
  const told = isPercentile(input.measure) ? ', (bucket_from, bucket_to, bucket_counts) AS told' : ''
  const buckets =
    told === ''
      ? NO_BUCKETS
      : 'told.1 AS bucket_from, told.2 AS bucket_to, arrayMap(counted -> counted * part.3, told.3) AS bucket_counts'
  const grown = (index: number): string =>
    `if(part.3 = 1, if(place > 1 AND last.1 >= before.1, last.${index} - before.${index}, last.${index}), 0)`
  return `SELECT project_id, part.1 AS slot, part.2 AS at_ms, ts, key, series, ${grown(1)} AS n, ${grown(2)} AS total, ${buckets}
    FROM (
      SELECT *, lagInFrame(last) OVER w AS before, row_number() OVER w AS place,
        leadInFrame((here, here_ms, last.1), 1, (toInt64(-1), toInt64(0), 0.)) OVER w AS next
      FROM (
        SELECT project_id, series, start AS since, toInt64(${step}) AS here, ${input.key} AS key, ${msOf(input.time)} AS here_ms,
          timestamp AS ts, (count, value) AS last ${told}
        FROM metrics WHERE ${where} ORDER BY project_id, name, series, start, timestamp DESC LIMIT 1 BY project_id, series, start, here
      ) WINDOW w AS (${PARTITION} here ROWS BETWEEN 1 PRECEDING AND 1 FOLLOWING)
    ) ARRAY JOIN [(here, here_ms, if(place > 1 OR ${isBegun(input, bind)}, 1, 0)), (next.1, next.2, if(next.3 >= last.1, -1, 0))] AS part
    WHERE part.1 >= 0 AND part.3 != 0`
}
