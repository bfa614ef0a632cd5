/** Root traces of a page, one at a time: a page load, then navigations. Each becomes one transaction. */
import { randomHex } from '../random-hex.ts'
import type { Client, Primitive, TraceState } from '../types.ts'
import { FINAL_MS, type FinishReason, startIdleTimer } from './idle-timer.ts'

/** A span in a transaction: https://develop.sentry.dev/sdk/telemetry/traces/span-interface/ */
export type Data = Record<string, Primitive>

export type Span = {
  span_id: string
  trace_id: string
  parent_span_id?: string | undefined
  op: string
  origin: string
  description?: string | undefined
  /** Seconds since 1970. */
  start_timestamp: number
  /** Missing while it runs. */
  timestamp?: number
  status?: string
  data: Data
}

/** Milliseconds of `performance.now()` → seconds since 1970, to the microsecond. */
export const epochSec = (ms: number): number => Math.round((performance.timeOrigin + ms) * 1000) / 1e6

/** Fact T5. More are counted, not kept: the server takes no more either. */
const MAX_SPANS = 1000

/** `contexts.trace` of the transaction: what the root span says of itself. */
type RootContext = Pick<
  Span,
  'span_id' | 'trace_id' | 'parent_span_id' | 'op' | 'origin' | 'status' | 'data'
> & {
  links: Link[] | undefined
  client_sample_rate: number
}

export type Tracer = {
  /** Of the root that runs. */
  root?: RootContext | undefined
  /** Ends what runs. The new trace is the client's from now on; `trace` may come from the server that rendered the page. */
  start(op: string, origin: string, startMs: number, trace: Partial<TraceState>, data?: Data): void
  /** A child; with an end, it is over. Undefined when none runs, or the span does not fit into it. */
  add(
    op: string,
    description: string,
    startMs: number,
    data: Data,
    endMs?: number,
    origin?: string,
  ): Span | undefined
  /** Also once more with a later end: the body of an answer takes longer than its head. Nothing when its trace is over. */
  end(span: Span | undefined, endMs: number, status?: string): void
  /** Holds the trace open like a child, without being one; with an end, lets go of it. One thing at a time. */
  hold(key: unknown, endMs?: number): void
  finish(reason: FinishReason, cause?: string): void
}

/** `collect` adds what is only known at the end. */
export function createTracer(client: Client, collect: () => void): Tracer {
  const { tracesSampleRate = 1 } = client.options
  let spans: Span[] = []
  let startSec = 0
  let held: unknown
  let heldUntilSec = 0
  let discarded = 0
  let url = ''
  let timer = (_child?: unknown, _endMs?: number): void => {}

  const tracer: Tracer = {
    start(op, origin, startMs, given, data = {}) {
      tracer.finish('cancelled', 'interrupted')
      const sampleRand = given.sampleRand ?? Math.random().toFixed(6)
      const trace = (client.trace = {
        traceId: randomHex(16),
        spanId: randomHex(8),
        sampled: +sampleRand < tracesSampleRate,
        sampleRand,
        sampleRate: tracesSampleRate,
        ...given,
      })
      tracer.root = {
        trace_id: trace.traceId,
        span_id: trace.spanId,
        parent_span_id: trace.parentSpanId,
        op,
        origin,
        data,
        links: linkToPrevious(trace),
        client_sample_rate: tracesSampleRate,
      }
      spans = []
      startSec = heldUntilSec = epochSec(startMs)
      discarded = 0
      held = undefined
      url = location.href
      timer = startIdleTimer(startMs, () => performance.now(), tracer.finish)
      client.emit('trace', { trace, start: startMs })
    },
    add(op, description, startMs, data, endMs, origin = 'auto.browser') {
      const { root } = tracer
      const start_timestamp = epochSec(startMs)
      // What the page did before belongs to the trace before.
      if (!root || start_timestamp < startSec) return undefined
      if (spans.length >= MAX_SPANS) {
        discarded++
        return undefined
      }
      const { trace_id, span_id: parent_span_id } = root
      const span: Span = {
        trace_id,
        span_id: randomHex(8),
        parent_span_id,
        op,
        origin,
        description,
        start_timestamp,
        data,
      }
      spans.push(span)
      if (endMs === undefined) timer(span)
      else tracer.end(span, endMs)
      return span
    },
    end(span, endMs, status) {
      if (!span || !tracer.root || !spans.includes(span)) return
      span.timestamp = Math.max(span.timestamp ?? span.start_timestamp, epochSec(endMs))
      if (status) span.status = status
      timer(span, endMs)
    },
    hold(key, endMs) {
      if (endMs === undefined) held = key
      else if (held !== key) return
      else heldUntilSec = epochSec(endMs)
      if (tracer.root) timer(key, endMs)
    },
    finish(reason, cause) {
      const { root } = tracer
      if (!root) return
      collect()
      timer()
      tracer.root = undefined
      const { trace } = client
      let endSec = heldUntilSec
      for (const { start_timestamp, timestamp } of spans)
        endSec = Math.max(endSec, timestamp ?? start_timestamp)
      // Also of a trace that began before it was watched.
      endSec = Math.min(endSec, startSec + FINAL_MS / 1000)
      spans = spans.filter(({ start_timestamp }) => start_timestamp <= endSec || !++discarded)
      if (!trace.sampled) {
        client.drop('sample_rate', 'transaction')
        client.drop('sample_rate', 'span', spans.length + 1)
        return
      }
      if (discarded) client.drop('buffer_overflow', 'span', discarded)
      for (const span of spans) {
        if (!span.timestamp) {
          span.timestamp = endSec
          span.status = 'cancelled'
        }
      }
      root.status ??= cause ? 'cancelled' : 'ok'
      root.data['sentry.idle_span_finish_reason'] = reason
      root.data['sentry.cancellation_reason'] = cause
      client.capture({
        type: 'transaction',
        transaction_info: { source: trace.source },
        start_timestamp: startSec,
        timestamp: endSec,
        spans,
        request: { url },
        contexts: { trace: root },
      })
    },
  }
  return tracer
}

/** Fact T4. After an hour it is another visit. */
const MAX_AGE_SEC = 3600
const KEY = 'sonde.trace'

type Link = {
  trace_id: string
  span_id: string
  sampled: boolean | undefined
  attributes: Record<string, string>
}

/**
 * The link to the root before in the same tab, also across page loads, if it began recently enough:
 * https://develop.sentry.dev/sdk/telemetry/traces/span-links/
 * From now on `trace` is the one before.
 */
function linkToPrevious({ traceId, spanId, sampled }: TraceState): Link[] | undefined {
  try {
    const nowSec = Date.now() / 1000
    const [link, startSec] = JSON.parse(sessionStorage.getItem(KEY) ?? '[]') as [Link, number]
    const attributes = { 'sentry.link.type': 'previous_trace' }
    sessionStorage.setItem(
      KEY,
      JSON.stringify([{ trace_id: traceId, span_id: spanId, sampled, attributes }, nowSec]),
    )
    return nowSec - startSec <= MAX_AGE_SEC ? [link] : undefined
  } catch {
    // No storage: sandboxed frames, people who switched it off.
    return undefined
  }
}
