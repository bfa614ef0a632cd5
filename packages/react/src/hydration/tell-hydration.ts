/** Hydration on the wire: docs/internals/reporter-wire.md */
import {
  type BenignDifference,
  getClient,
  HYDRATION_MISMATCH_OP,
  HYDRATION_OP,
  HYDRATION_PREFIX,
  type HydrationKind,
  type HydrationScope,
  type LooseSpan,
  toItem,
  type TraceState,
} from '@sonde/browser'
import type { Difference } from './find-difference.ts'

export type Mismatch = {
  readonly kind: HydrationKind
  readonly component: string
  /** Of what differs; undefined: nobody looked. */
  readonly found?: Difference | undefined
  readonly benign?: BenignDifference | undefined
  readonly scope?: HydrationScope | undefined
  /** How long the browser rendered anew; undefined: not known. */
  readonly costMs?: number | undefined
  /** Of the event that is an issue. */
  readonly eventId?: string | undefined
}

export function tellMismatch(mismatch: Mismatch, trace = getClient()?.trace): void {
  const { kind, component, found, benign, scope, costMs, eventId } = mismatch
  const endMs = performance.now()
  send(trace, {
    op: HYDRATION_MISMATCH_OP,
    name: component,
    isError: !benign,
    startMs: endMs - (costMs ?? 0),
    endMs,
    attributes: {
      kind,
      component,
      benign,
      scope,
      cost: costMs === undefined ? undefined : Math.round(costMs),
      event_id: eventId,
      ...found,
    },
  })
}

export type Hydrated = {
  readonly startMs: number
  /** The shell of the page is there. */
  readonly endMs: number
  readonly mismatches: number
  readonly lostClicks: number
  readonly benign: ReadonlyMap<BenignDifference, number>
}

export function tellHydrated(
  { startMs, endMs, mismatches, lostClicks, benign }: Hydrated,
  trace: TraceState,
): void {
  const counts = Object.fromEntries([...benign].map(([kind, count]) => [`benign.${kind}`, count]))
  send(trace, {
    op: HYDRATION_OP,
    name: trace.name ?? location.pathname,
    startMs,
    endMs,
    attributes: { mismatches, lost_clicks: lostClicks, ...counts },
  })
}

type Told = Omit<LooseSpan, 'traceId' | 'spanId' | 'prefix'>

function send(trace: TraceState | undefined, told: Told): void {
  const client = getClient()
  if (!client || !trace) return
  const attributes: Record<string, unknown> = { 'sentry.transaction': trace.name ?? location.pathname }
  for (const name in told.attributes) attributes[HYDRATION_PREFIX + name] = told.attributes[name]
  const bytes = crypto.getRandomValues(new Uint8Array(8))
  const spanId = Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('')
  const { traceId, spanId: parentSpanId } = trace
  client.send([toItem(client, [{ ...told, traceId, spanId, parentSpanId, attributes, prefix: '' }])])
}
