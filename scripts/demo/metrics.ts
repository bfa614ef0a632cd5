/**
 * Metrics of the services behind the chat: what OpenTelemetry's SDK aggregates and its exporter sends. The day before is told by the
 * same instruments, each collection with its times moved; then they go on for as long as the demo runs. The API's own metrics, of
 * Sentry's SDK, come with the visits.
 */
import type { Attributes } from '@opentelemetry/api'
import { OTLPMetricExporter } from '@opentelemetry/exporter-metrics-otlp-proto'
import { MeterProvider, MetricReader, type ResourceMetrics } from '@opentelemetry/sdk-metrics'
import { BY_HOUR } from './history.ts'
import { type Answered, otlpDoor, postOtlp } from './services.ts'

const MINUTE_MS = 60_000
const STEP_MS = 5 * MINUTE_MS
const STEPS = 288
const LIVE_MS = 15_000

/** Asked for what was measured, whenever the demo wants it. */
class AskedReader extends MetricReader {
  protected onForceFlush = async (): Promise<void> => undefined
  protected onShutdown = async (): Promise<void> => undefined
}

/** The first ones are at once, of the day before. What Sonde does not take while it ends is nobody's loss. */
export async function startMetrics(
  dsn: string,
  answered: readonly Answered[],
): Promise<{ stop(): Promise<void> }> {
  const exporter = new OTLPMetricExporter(otlpDoor(dsn, 'metrics'))
  const reader = new AskedReader()
  const provider = new MeterProvider({ readers: [reader] })
  const measure = createInstruments(provider)
  const nowMs = Date.now()
  const tell = async (shiftMs: number): Promise<void> => {
    const { resourceMetrics } = await reader.collect()
    await new Promise<void>((resolve, reject) =>
      exporter.export(moved(resourceMetrics, nowMs, shiftMs), ({ error }) =>
        error === undefined ? resolve() : reject(error),
      ),
    )
  }
  for (let step = STEPS; step > 0; step--) {
    measure(nowMs - step * STEP_MS, STEP_MS)
    await tell(-step * STEP_MS)
  }
  await postOtlp(dsn, 'metrics', answerTimes(answered))
  const timer = setInterval(() => {
    measure(Date.now(), LIVE_MS)
    void tell(0).catch(() => undefined)
  }, LIVE_MS)
  return {
    async stop() {
      clearInterval(timer)
      await provider.shutdown()
      await exporter.shutdown()
    },
  }
}

const REGIONS = ['eu-central', 'us-east'] as const

/** A counter, a level that goes up and down, one that is asked for, and a histogram. */
function createInstruments(provider: MeterProvider): (atMs: number, lengthMs: number) => void {
  const meter = provider.getMeter('assistant', '1.4.0')
  const tokens = meter.createCounter('gen_ai.client.token.usage.total', { unit: '{token}' })
  const waiting = meter.createUpDownCounter('chat.queue.length', { unit: '{message}' })
  const memory = meter.createObservableGauge('process.memory.usage', { unit: 'By' })
  const tool = meter.createHistogram('assistant.tool.duration', {
    unit: 's',
    advice: { explicitBucketBoundaries: [0.05, 0.1, 0.25, 0.5, 1, 2.5, 5] },
  })
  const levels = new Map<string, number>()
  let heapBytes = 120e6
  memory.addCallback((result) => result.observe(heapBytes, { 'service.instance.id': 'assistant-1' }))
  return (atMs, lengthMs) => {
    const busy = (BY_HOUR[new Date(atMs).getHours()] ?? 1) * (lengthMs / MINUTE_MS)
    // Memory grows until a worker is started anew.
    heapBytes = heapBytes > 480e6 ? 120e6 : heapBytes + busy * 0.4e6
    for (const region of REGIONS) {
      const of: Attributes = { 'cloud.region': region }
      const share = region === 'eu-central' ? 1 : 0.6
      tokens.add(Math.round(busy * share * 900 * between(0.8, 1.2)), { ...of, 'gen_ai.token.type': 'input' })
      tokens.add(Math.round(busy * share * 140 * between(0.8, 1.2)), { ...of, 'gen_ai.token.type': 'output' })
      const level = Math.max(0, Math.round(busy * share * between(0, 0.8)))
      waiting.add(level - (levels.get(region) ?? 0), of)
      levels.set(region, level)
      for (let call = 0; call < busy * share; call++)
        tool.record(0.1 + Math.random() ** 4 * (region === 'us-east' ? 4 : 1.5), {
          ...of,
          'gen_ai.tool.name': call % 3 === 0 ? 'search' : 'stock',
        })
    }
  }
}

const between = (low: number, high: number): number => low + Math.random() * (high - low)

/** All that was told began with the day. */
function moved({ resource, scopeMetrics }: ResourceMetrics, nowMs: number, shiftMs: number): ResourceMetrics {
  const endTime = timeOf(shiftMs === 0 ? Date.now() : nowMs + shiftMs)
  const startTime = timeOf(nowMs - (STEPS + 1) * STEP_MS)
  return {
    resource,
    scopeMetrics: scopeMetrics.map(({ scope, metrics }) => ({
      scope,
      metrics: metrics.map((metric) => ({
        ...metric,
        dataPoints: metric.dataPoints.map((point) => ({ ...point, startTime, endTime })),
      })) as typeof metrics,
    })),
  }
}

const timeOf = (ms: number): [seconds: number, nanos: number] => [
  Math.floor(ms / 1000),
  Math.round((ms % 1000) * 1e6),
]

/** What Go's and Java's SDKs send and that of JavaScript does not: a histogram with exemplars, each a trace that was measured. */
function answerTimes(answered: readonly Answered[]): object {
  const bounds = [0.5, 1, 2, 2.3, 2.5, 3, 5]
  const nano = (ms: number): string => `${BigInt(Math.round(ms)) * 1_000_000n}`
  const dataPoints = answered.map(({ traceId, spanId, atMs, ms }) => {
    const seconds = (ms / 1000) * between(0.6, 1.3)
    const at = bounds.findIndex((bound) => seconds <= bound)
    return {
      startTimeUnixNano: nano(atMs - MINUTE_MS),
      timeUnixNano: nano(atMs),
      count: '1',
      sum: seconds,
      min: seconds,
      max: seconds,
      explicitBounds: bounds,
      bucketCounts: [...bounds, Infinity].map((_, index) =>
        index === (at < 0 ? bounds.length : at) ? '1' : '0',
      ),
      exemplars: [{ timeUnixNano: nano(atMs), asDouble: seconds, traceId, spanId }],
      attributes: [{ key: 'http.route', value: { stringValue: '/chat' } }],
    }
  })
  return {
    resourceMetrics: [
      {
        resource: { attributes: [{ key: 'service.name', value: { stringValue: 'assistant' } }] },
        scopeMetrics: [
          {
            metrics: [
              {
                name: 'http.server.request.duration',
                unit: 's',
                histogram: { aggregationTemporality: 1, dataPoints },
              },
            ],
          },
        ],
      },
    ],
  }
}
