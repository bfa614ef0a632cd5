/** Core Web Vitals and their kin, by `web-vitals`: `init({ …, features: [tracing(), vitals()] })`. Fact T6. */
import { type MetricType, onCLS, onFCP, onINP, onLCP, onTTFB } from 'web-vitals'
import { type LooseSpan, toItem } from '../navigation/spans.ts'
import { randomHex } from '../random-hex.ts'
import { navigationEntry } from '../tracing/page-load.ts'
import type { Client, EventPayload, Feature, Primitive, TraceState } from '../types.ts'
import { decisiveEntry, explain, type Explanation } from './explain.ts'
import { keepRecentFrames } from './recent-frames.ts'

/**
 * What is known of the vitals when the trace of the page load is sent:
 * https://develop.sentry.dev/sdk/telemetry/traces/modules/web-vitals/
 * INP is never in it: the trace ends before people do something.
 */
function addMeasurements(event: EventPayload, vitals: ReadonlyMap<string, Vital> | undefined): void {
  const { trace } = event['contexts'] as { trace: { op?: string; data: Record<string, Primitive> } }
  if (event.type !== 'transaction' || trace.op !== 'pageload' || !vitals) return
  const measurements: Record<string, { value: number; unit: string }> = {}
  for (const [name, { metric, explanation }] of vitals) {
    if (name === 'INP') continue
    const key = name.toLowerCase()
    measurements[key] = { value: metric.value, unit: name === 'CLS' ? '' : 'millisecond' }
    const { values } = explanation
    for (const value in values) trace.data[`browser.web_vital.${key}.${value}`] = values[value]
  }
  event['measurements'] = measurements
}

export type VitalsOptions = {
  /** 0…1 of page loads. Default: 1, whatever `tracesSampleRate` says: the vitals of a page are one small envelope. */
  readonly sampleRate?: number
}

/** A page load, a soft navigation, or a return out of the back/forward cache. */
type View = {
  readonly startMs: number
  /** When no trace was made for it. */
  readonly id: string
  /** Of the page, for who has no tracing that names it. */
  readonly path: string
  readonly vitals: Map<MetricType['name'], Vital>
}

// web-vitals tells the last values of a page that was navigated away from when the browser is idle, within a second.
const SEND_AFTER_MS = 2000
// Elder ones have been sent by then.
const MAX_TRACES = 20

export const vitals =
  ({ sampleRate = 1 }: VitalsOptions = {}): Feature =>
  (client) => {
    if (Math.random() >= sampleRate) return
    const frames = keepRecentFrames()
    const views = new Map<number, View>()
    // The first one is the page load's.
    const traces: { readonly trace: TraceState; readonly start: number }[] = [
      { trace: client.trace, start: 0 },
    ]

    function take(metric: MetricType): void {
      const { navigationStartTime: startMs = 0, name } = metric
      let view = views.get(startMs)
      if (!view) {
        view = { startMs, id: randomHex(8), path: location.pathname, vitals: new Map() }
        views.set(startMs, view)
        if (startMs) setTimeout(send, SEND_AFTER_MS, 'navigation')
      }
      const before = view.vitals.get(name)
      const entry = decisiveEntry(metric)
      const explanation =
        before && before.entry === entry
          ? before.explanation
          : explain(metric, startMs || activationMs(), frames)
      view.vitals.set(name, { spanId: randomHex(8), ...before, metric, entry, explanation })
    }

    function visitOf({ startMs, id, path }: View, occasion: Visit['occasion']): Visit {
      if (!startMs) return { trace: traces[0]!.trace, path, navigationId: undefined, occasion }
      // The navigation is told after the input that set it off, which is where the browser starts counting.
      const own = traces.find(({ start }) => start >= startMs - 1)?.trace
      return {
        trace: own ?? client.trace,
        path,
        navigationId: own ? (own.navigationId ?? own.spanId) : id,
        occasion,
      }
    }

    /** Each value once; one that grew since is sent again. */
    function send(occasion: Visit['occasion']): void {
      const spans = []
      const lastMs = Math.max(...views.keys())
      for (const view of views.values()) {
        if (occasion === 'navigation' && view.startMs === lastMs) continue
        const visit = visitOf(view, occasion)
        for (const vital of view.vitals.values()) {
          if (vital.sentValue === vital.metric.value) continue
          vital.sentValue = vital.metric.value
          spans.push(vitalSpan(client, vital, visit))
        }
        if (view.startMs < lastMs) views.delete(view.startMs)
      }
      if (spans.length) client.send([toItem(client, spans)])
    }

    client.on('trace', (started) => {
      // What the client had before tracing began was nobody's.
      if (traces[0]!.trace.sampled === undefined) traces.pop()
      traces.push(started)
      if (traces.length > MAX_TRACES) traces.splice(1, 1)
    })
    client.on('event', ({ event }) => addMeasurements(event, views.get(0)?.vitals))
    client.on('hide', () => send('pagehide'))
    // Not in the task of the page's own script, which is the longest of many loads: the browser keeps entries from before.
    setTimeout(() => {
      // Every change: the value so far goes with the page load's trace, and an element may be gone when it is final.
      for (const on of [onTTFB, onFCP, onLCP, onCLS, onINP] as ((
        report: (metric: MetricType) => void,
        options: object,
      ) => void)[])
        on(take, { reportAllChanges: true, reportSoftNavs: true })
    })
  }

const activationMs = (): number =>
  (navigationEntry() as { activationStart?: number } | undefined)?.activationStart ?? 0

/** A vital on the wire: one span of a v2 container, as upstream streams them, so that every server knows it. */
type Vital = {
  readonly metric: MetricType
  /** Stays: a value that grew replaces the one that was sent. */
  readonly spanId: string
  readonly entry: PerformanceEntry | undefined
  readonly explanation: Explanation
  sentValue?: number
}

/** What the page or soft navigation is known by, and why its vitals are sent now. */
type Visit = {
  readonly trace: TraceState
  readonly path: string
  /** Of a navigation; a page load is known by its root span. */
  readonly navigationId: string | undefined
  readonly occasion: 'pagehide' | 'navigation'
}

function vitalSpan({ scope }: Client, { metric, spanId, explanation }: Vital, visit: Visit): LooseSpan {
  const { trace, navigationId, occasion } = visit
  const page = trace.name ?? visit.path
  const { op, startMs, element, values, script } = explanation
  const { value } = metric
  const prefix = `browser.web_vital.${metric.name.toLowerCase()}.`
  const attributes: Record<string, unknown> = {
    'sentry.transaction': page,
    'sentry.pageload.span_id': navigationId ? undefined : trace.spanId,
    'sonde.navigation.id': navigationId,
    'browser.navigation.type': metric.navigationType,
    'user.id': scope.user?.['id'],
    'sentry.exclusive_time': metric.name === 'INP' ? value : undefined,
    [`${prefix}value`]: value,
    [`${prefix}report_event`]: occasion,
    ...script?.(),
  }
  for (const key in values) attributes[prefix + key] = values[key]
  return {
    traceId: trace.traceId,
    spanId,
    parentSpanId: trace.spanId,
    op,
    name: element || page,
    startMs,
    endMs: metric.name === 'CLS' ? startMs : startMs + value,
    attributes,
    prefix: '',
  }
}
