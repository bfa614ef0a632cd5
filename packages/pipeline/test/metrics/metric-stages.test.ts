import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { limitSeries } from '../../src/commit/limit-series.ts'
import { METRIC_STAGES } from '../../src/metrics/metric-stages.ts'
import { isDropped } from '../../src/stage-runner.ts'
import { cells } from '../spans/row-cells.ts'
import { RECEIVED_MS, spanInput } from '../spans/span-input-of.ts'
import { exportMetrics } from './exported-metrics.ts'

const run = (payload: unknown, header: object) => {
  const input = spanInput({ header: { type: 'trace_metric', ...header }, payload: '' })
  return METRIC_STAGES.run({ ...input, payload: Buffer.from(JSON.stringify(payload)) }, new Map())
}
const stored = (...given: Parameters<typeof run>) => {
  const result = run(...given)
  assert.ok(!isDropped(result), JSON.stringify(result))
  return result
}
const AT = RECEIVED_MS / 1000 - 5
const NANOS = String(Math.round(AT * 1000)) + '000000'
const COUNTER = {
  timestamp: AT,
  trace_id: 'a'.repeat(32),
  name: 'orders',
  type: 'counter',
  value: 3,
  attributes: { shop: { type: 'string', value: 'north' } },
}
const OTLP = { type: 'otel_metrics_data', content_type: 'application/json' }
const otlp = (...metrics: object[]) => ({ resourceMetrics: [{ scopeMetrics: [{ metrics }] }] })
const BUCKETS = ['bucket_from', 'bucket_to', 'bucket_counts'] as const

describe('a container of metrics', () => {
  test('each is a row with its value and trace; vitals are left to their pages; the broken are counted', () => {
    const vital = { ...COUNTER, name: 'browser.web_vital.lcp', type: 'distribution' }
    const result = stored({ items: [COUNTER, vital, { ...COUNTER, value: 'x' }, null] }, {})
    const rows = cells('metrics', result)
    assert.equal(rows.length, 1)
    const [row] = rows
    assert.deepEqual(
      [row?.['name'], row?.['type'], row?.['value'], row?.['count'], row?.['trace_id'], row?.['series']],
      ['orders', 'counter', '3', '1', 'a'.repeat(32), ''],
    )
    assert.equal(result.vitals, 1)
    assert.deepEqual(
      result.outcomes.map(({ outcome, reason, quantity }) => [outcome, reason, quantity]),
      [['invalid', 'bad_payload', 2]],
    )
  })
})

describe('a request of OpenTelemetry', () => {
  test('of its own SDK and exporter is stored, every instrument by its kind', async () => {
    const header = { type: 'otel_metrics_data', content_type: 'application/x-protobuf' }
    const input = { ...spanInput({ header, payload: '' }), payload: await exportMetrics() }
    const result = METRIC_STAGES.run(input, new Map())
    assert.ok(!isDropped(result))
    const rows = cells('metrics', result)
    const of = (name: string) =>
      rows
        .filter((row) => row['name'] === name)
        .map((row) => [row['type'], row['temporality'], row['unit'], row['value'], row['count']])
    assert.deepEqual(of('orders'), [
      ['counter', 'cumulative', '{order}', '7', '1'],
      ['counter', 'cumulative', '{order}', '7', '1'],
    ])
    assert.deepEqual(of('queue'), [['gauge', '', '', '-3', '1']])
    assert.deepEqual(of('memory'), [['gauge', '', 'By', '150000000', '1']])
    assert.deepEqual(of('http.server.request.duration'), [['histogram', 'cumulative', 's', '7.32', '3']])
    assert.deepEqual(of('cart.size'), [['histogram', 'cumulative', '', '254', '4']])
    const sizes = rows.find((row) => row['name'] === 'cart.size')
    const counts = JSON.parse(sizes?.['bucket_counts'] ?? '') as number[]
    assert.equal(
      counts.reduce((sum, count) => sum + count, 0),
      4,
    )
  })

  const point = { timeUnixNano: NANOS, startTimeUnixNano: NANOS, asInt: '7' }
  test('sums keep how they are told; one that may fall is a level', () => {
    const sum = (isMonotonic: boolean, aggregationTemporality: number) => ({
      name: 's',
      sum: { isMonotonic, aggregationTemporality, dataPoints: [point] },
    })
    const rows = cells('metrics', stored(otlp(sum(true, 1), sum(true, 2), sum(false, 2)), OTLP))
    assert.deepEqual(
      rows.map((row) => [row['type'], row['temporality'], row['value']]),
      [
        ['counter', 'delta', '7'],
        ['counter', 'cumulative', '7'],
        ['gauge', '', '7'],
      ],
    )
    assert.match(rows[0]?.['series'] ?? '', /^[0-9a-f]{16}$/)
  })

  test('a histogram is buckets with ends, and its exemplar leads to a trace', () => {
    const exemplars = [{ timeUnixNano: NANOS, asDouble: 9, traceId: 'c'.repeat(32), spanId: 'd'.repeat(16) }]
    const histogram = {
      aggregationTemporality: 1,
      dataPoints: [
        {
          ...point,
          count: '4',
          sum: 20,
          min: 1,
          max: 12,
          explicitBounds: [5, 10],
          bucketCounts: [1, 2, 1],
          exemplars,
        },
      ],
    }
    const [row] = cells('metrics', stored(otlp({ name: 'h', unit: 'ms', histogram }), OTLP))
    assert.deepEqual(
      BUCKETS.map((name) => row?.[name]),
      ['[1,5,10]', '[5,10,12]', '[1,2,1]'],
    )
    assert.deepEqual([row?.['count'], row?.['value'], row?.['trace_id']], ['4', '20', 'c'.repeat(32)])
  })

  test('an exponential histogram is the same, with zero and what is below it', () => {
    const exponentialHistogram = {
      aggregationTemporality: 1,
      dataPoints: [
        {
          ...point,
          count: 4,
          sum: 5,
          scale: 0,
          zeroCount: 1,
          positive: { offset: 1, bucketCounts: [2] },
          negative: { offset: 0, bucketCounts: [1] },
        },
      ],
    }
    const [row] = cells('metrics', stored(otlp({ name: 'e', exponentialHistogram }), OTLP))
    assert.deepEqual(
      BUCKETS.map((name) => row?.[name]),
      ['[-2,0,2]', '[-1,0,4]', '[1,1,2]'],
    )
  })

  test('beyond the limit new series are left out and counted, known ones go on', async () => {
    const gauge = (host: number) => ({
      name: 'g',
      gauge: { dataPoints: [{ ...point, attributes: [{ key: 'host', value: { intValue: host } }] }] },
    })
    const { item } = stored(otlp(gauge(1), gauge(2), gauge(3), gauge(1)), OTLP)
    const telemetry = { query: async () => [] }
    const { items, outcomes } = await limitSeries(telemetry, new Map(), [item], RECEIVED_MS, 2)
    const lines = String(items[0]?.rows.metrics).split('\n')
    assert.deepEqual([lines.length, items[0]?.counts[0]?.quantity], [3, 3])
    assert.deepEqual(
      outcomes.map(({ outcome, reason, quantity }) => [outcome, reason, quantity]),
      [['rate_limited', 'series_limit', 1]],
    )
  })
})
