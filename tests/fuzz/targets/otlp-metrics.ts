/** Metrics of OTLP in both encodings: the endpoint's survey counts the points that the pipeline's reader then finds. */
import assert from 'node:assert/strict'
import { prescanJson } from '../../../packages/ingest/src/endpoints/otlp/prescan-json.ts'
import { prescanProtobuf } from '../../../packages/ingest/src/endpoints/otlp/prescan-protobuf.ts'
import {
  MalformedOtlp,
  type Prescan,
  TooManyInOtlp,
} from '../../../packages/ingest/src/endpoints/otlp/prescan.ts'
import { METRIC_STAGES } from '../../../packages/pipeline/src/metrics/metric-stages.ts'
import { metricsOfOtlp } from '../../../packages/pipeline/src/metrics/read-metrics.ts'
import type { OtlpMetric } from '../../../packages/pipeline/src/otlp/otlp-metrics.ts'
import type { OtlpResource } from '../../../packages/pipeline/src/otlp/otlp-request.ts'
import { readOtlpMetricsJson } from '../../../packages/pipeline/src/otlp/read-metrics-json.ts'
import { readOtlpMetricsProtobuf } from '../../../packages/pipeline/src/otlp/read-metrics-protobuf.ts'
import { isDropped } from '../../../packages/pipeline/src/stage-runner.ts'
import { exportMetrics } from '../../../packages/pipeline/test/metrics/exported-metrics.ts'
import { cells } from '../../../packages/pipeline/test/spans/row-cells.ts'
import { RECEIVED_MS, spanInput } from '../../../packages/pipeline/test/spans/span-input-of.ts'
import type { Target } from '../engine/target.ts'
import { envelopeAround } from '../mutators/envelope.ts'
import { mutateJson } from '../mutators/json.ts'
import { mutateProtobuf } from '../mutators/protobuf.ts'
import { checkProcessed, processBody } from './process.ts'

type ContentType = 'application/json' | 'application/x-protobuf'
type Read = (input: Buffer) => readonly OtlpResource<OtlpMetric>[] | undefined

const exported = await exportMetrics()

export const otlpMetricsJson: Target = {
  name: 'otlp-metrics-json',
  seeds: () => [Buffer.from(JSON.stringify(EVERY_KIND)), Buffer.from('{"resourceMetrics":[]}')],
  mutate: mutateJson,
  words: [
    '"dataPoints":[{}]',
    '"exponentialHistogram":',
    '"explicitBounds":',
    '"bucketCounts":',
    '"quantileValues":',
    '"scale":-2147483648',
    '"offset":2147483647',
    '"NaN"',
    '"Infinity"',
  ],
  open: () => ({
    run(input) {
      check(input, 'application/json')
      survey((bytes) => prescanJson(bytes, 'metrics'), input)
      // A key that stands twice counts as the reader of JSON takes it: the last one. The survey sees both.
      const plain = asWritten(input)
      if (plain === undefined) return
      const read: Read = (bytes) => readOtlpMetricsJson(JSON.parse(bytes.toString('utf8')))
      compare((bytes) => prescanJson(bytes, 'metrics'), read, plain)
    },
  }),
}

export const otlpMetricsProtobuf: Target = {
  name: 'otlp-metrics-protobuf',
  seeds: () => [exported, Buffer.alloc(0)],
  mutate: mutateProtobuf,
  open: () => ({
    run(input) {
      check(input, 'application/x-protobuf')
      compare((bytes) => prescanProtobuf(bytes, 'metrics'), readOtlpMetricsProtobuf, input)
    },
  }),
}

const NUMBERS = ['value', 'count', 'lowest', 'highest'] as const

/** Nothing is a dead letter, and every row can be stored: numbers are numbers, and buckets lie above each other. */
function check(payload: Buffer, contentType: ContentType): void {
  const item = { type: 'otel_metrics_data', content_type: contentType }
  checkProcessed(processBody(envelopeAround({}, payload, item)))
  const input = spanInput({ header: item, payload: '' })
  const result = METRIC_STAGES.run({ ...input, payload }, new Map())
  if (isDropped(result)) return
  for (const row of cells('metrics', result)) {
    for (const name of NUMBERS) assert.ok(Number.isFinite(Number(row[name])), `${name} is ${row[name]}`)
    assert.ok(Number(row['count']) >= 0, `count is ${row['count']}`)
    const [from, to, counts] = ['bucket_from', 'bucket_to', 'bucket_counts'].map(
      (name) => JSON.parse(row[name] ?? '') as readonly number[],
    )
    assert.ok(from && to && counts && from.length === to.length && to.length === counts.length)
    for (const [at, low] of from.entries()) {
      assert.ok(low <= (to[at] ?? low), `a bucket from ${low} to ${to[at]}`)
      assert.ok((counts[at] ?? -1) >= 0, `a bucket of ${counts[at]}`)
    }
  }
}

function compare(by: (bytes: Buffer) => Prescan, read: Read, input: Buffer): void {
  const counted = survey(by, input)
  const resources = read(input)
  if (counted === undefined || resources === undefined) return
  // The points of a metric that cannot be read at all were counted, and are found by nobody.
  if (resources.some(({ scopes }) => scopes.some(({ items }) => items.includes(undefined)))) return
  const { metrics, lost, empty } = metricsOfOtlp(resources, RECEIVED_MS, 0)
  assert.ok(
    metrics.length + lost + empty <= counted.count,
    `${metrics.length + lost + empty} points were read, and ${counted.count} counted`,
  )
}

function survey(by: (bytes: Buffer) => Prescan, input: Buffer): Prescan | undefined {
  try {
    return by(input)
  } catch (error) {
    if (error instanceof MalformedOtlp || error instanceof TooManyInOtlp) return undefined
    throw error
  }
}

function asWritten(input: Buffer): Buffer | undefined {
  try {
    return Buffer.from(JSON.stringify(JSON.parse(input.toString('utf8'))))
  } catch {
    return undefined
  }
}

const POINT = {
  startTimeUnixNano: String(BigInt(RECEIVED_MS - 60_000) * 1_000_000n),
  timeUnixNano: String(BigInt(RECEIVED_MS - 1_000) * 1_000_000n),
  attributes: [{ key: 'http.route', value: { stringValue: '/cart' } }],
  exemplars: [
    {
      timeUnixNano: '1',
      asDouble: 0.2,
      traceId: 'a'.repeat(32),
      spanId: 'b'.repeat(16),
      filteredAttributes: [],
    },
  ],
}
const EVERY_KIND = {
  resourceMetrics: [
    {
      resource: { attributes: [{ key: 'service.name', value: { stringValue: 'shop' } }] },
      scopeMetrics: [
        {
          scope: { name: 'shop', version: '1' },
          metrics: [
            { name: 'level', unit: 'By', gauge: { dataPoints: [{ ...POINT, asDouble: 1.5 }] } },
            {
              name: 'orders',
              sum: { isMonotonic: true, aggregationTemporality: 2, dataPoints: [{ ...POINT, asInt: '7' }] },
            },
            {
              name: 'duration',
              unit: 's',
              histogram: {
                aggregationTemporality: 1,
                dataPoints: [
                  {
                    ...POINT,
                    count: '6',
                    sum: 3,
                    min: 0.1,
                    max: 2,
                    explicitBounds: [0.5, 1],
                    bucketCounts: ['3', '2', '1'],
                  },
                ],
              },
            },
            {
              name: 'size',
              exponentialHistogram: {
                aggregationTemporality: 2,
                dataPoints: [
                  {
                    ...POINT,
                    count: '5',
                    sum: 9,
                    scale: 3,
                    zeroCount: '1',
                    positive: { offset: -2, bucketCounts: ['1', '2'] },
                    negative: { offset: 0, bucketCounts: ['1'] },
                  },
                ],
              },
            },
            {
              name: 'old',
              summary: {
                dataPoints: [
                  {
                    ...POINT,
                    count: '9',
                    sum: 4,
                    quantileValues: [
                      { quantile: 0.5, value: 0.2 },
                      { quantile: 0.99, value: 1 },
                    ],
                  },
                ],
              },
            },
          ],
        },
      ],
    },
  ],
}
