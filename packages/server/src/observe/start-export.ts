/**
 * Sends Sonde's own spans and metrics to an OTLP receiver. Nothing waits for it: what does not fit into its queue, or is not
 * taken in time, is dropped and counted.
 */
import { randomUUID } from 'node:crypto'
import { hostname } from 'node:os'
import { type Clock, type Logger, type Metrics, noTracer, type Tracer } from '@sonde/base'
import { VERSION } from '../version.ts'
import { createTracer, type EndedSpan } from './create-tracer.ts'
import { metricsJson, type Resource, tracesJson } from './otlp-json.ts'
import { createOtlpSender, type OtlpTarget, type SenderOptions } from './otlp-sender.ts'

export type ExportOptions = {
  /** Undefined: nothing is traced, and no metrics are sent. */
  readonly target: OtlpTarget | undefined
  /** Of the traces that begin here, 0 to 1. */
  readonly sample: number
  readonly role: 'front' | 'back'
  readonly clock: Clock
  readonly logger: Logger
  readonly metrics: Metrics
  readonly everyMs?: { readonly spans: number; readonly metrics: number }
  readonly timing?: SenderOptions['timing']
}

export type OtlpExport = {
  readonly tracer: Tracer
  /** Sends what waits, for a moment. Idempotent. */
  stop(): Promise<void>
}

/** Spans wait this long at most, and so many leave at once: OpenTelemetry's own defaults. */
const EVERY_MS = { spans: 5_000, metrics: 60_000 }
const BATCH = 512
/** About 4 MB. */
const MAX_WAITING = 4_096
/** A stop has other things to do. */
const LAST_MS = 1_500
export const OTLP_USER_AGENT = 'sonde-otlp'

export function startExport(options: ExportOptions): OtlpExport {
  const { target, role, clock, logger, metrics, everyMs = EVERY_MS, timing } = options
  if (!target) return { tracer: noTracer, stop: async () => undefined }
  const resource = resourceOf(role)
  const sinceMs = clock.nowMs()
  const ended = new AbortController()
  const dropped = metrics.counter(
    `sonde_${role}_otlp_dropped_spans_total`,
    'Spans of our own that no receiver took',
  )
  const send = createOtlpSender({
    target,
    userAgent: `${OTLP_USER_AGENT}/${VERSION}`,
    onTrouble: (why) =>
      why === undefined
        ? logger.info('the OTLP receiver takes our spans and metrics again')
        : logger.warn(
            { why },
            'the OTLP receiver does not take our spans and metrics; some will be missing there',
          ),
    ...(timing && { timing }),
  })
  let waiting: EndedSpan[] = []
  let sending: Promise<void> | undefined

  const sendSpans = async (): Promise<void> => {
    while (waiting.length > 0) {
      const batch = waiting.slice(0, BATCH)
      waiting = waiting.slice(BATCH)
      const result = await send('/v1/traces', tracesJson(resource, batch), ended.signal)
      if (result === 'given up') dropped.inc(batch.length)
    }
  }
  const flush = (): Promise<void> => (sending ??= sendSpans().finally(() => (sending = undefined)))
  const sendMetrics = async (): Promise<void> => {
    const body = metricsJson(resource, await metrics.families(), { sinceMs, atMs: clock.nowMs() })
    await send('/v1/metrics', body, ended.signal)
  }
  const tracer = createTracer({
    sample: options.sample,
    onEnd(span) {
      if (waiting.length >= MAX_WAITING) return dropped.inc()
      waiting.push(span)
      if (waiting.length >= BATCH) void flush()
    },
  })
  let measuring: Promise<void> | undefined
  const timers = [
    setInterval(() => void flush(), everyMs.spans),
    setInterval(() => {
      measuring ??= sendMetrics().finally(() => (measuring = undefined))
    }, everyMs.metrics),
  ]
  for (const timer of timers) timer.unref()
  let stopping: Promise<void> | undefined
  return {
    tracer,
    stop: () =>
      (stopping ??= (async () => {
        for (const timer of timers) clearInterval(timer)
        const late = setTimeout(() => ended.abort(), LAST_MS)
        await Promise.all([flush(), sendMetrics()])
        clearTimeout(late)
      })()),
  }
}

/** https://opentelemetry.io/docs/specs/semconv/resource/ */
const resourceOf = (role: string): Resource => ({
  'service.name': 'sonde',
  'service.version': VERSION,
  'service.instance.id': randomUUID(),
  'host.name': hostname(),
  'process.pid': process.pid,
  'sonde.role': role,
})
