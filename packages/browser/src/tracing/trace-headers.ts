/** What requests and envelopes tell the server about the trace that they belong to, and which requests may. */
import type { Client, TraceState } from '../types.ts'

/** Fact R5: characters of the whole header. The text is ASCII, so these are also W3C's 8,192 bytes. */
export const MAX_BAGGAGE_CHARS = 8192

/** Same origin unless targets are given. They are matched without the query, which anybody may write. */
export function mayTrace({ origin, pathname }: URL, targets?: readonly (string | RegExp)[]): boolean {
  const isOwn = origin === location.origin
  const texts = [origin + pathname, isOwn ? pathname : origin]
  return targets
    ? targets.some((target) =>
        texts.some((text) => (typeof target === 'string' ? text.includes(target) : text.search(target) >= 0)),
      )
    : isOwn
}

/** Headers that the page has set itself stay; its baggage comes first. */
export function addTraceHeaders(client: Client, headers: Headers, spanId: string): void {
  const { trace } = client
  const { traceId, sampled } = trace
  if (headers.has('sentry-trace')) return
  headers.set('sentry-trace', `${traceId}-${spanId}-${+!!sampled}`)
  // Frozen: who comes later in the trace must hear what the first one heard.
  const baggage = baggageOf(headers.get('baggage') ?? '', (trace.dsc ??= traceHeader(client, trace)))
  if (baggage) headers.set('baggage', baggage)
  if (client.options.propagateTraceparent && !headers.has('traceparent'))
    headers.set('traceparent', `00-${traceId}-${spanId}-0${+!!sampled}`)
}

/** Whole members, as many as fit. A context in what is given means that somebody else traces, and stays alone. */
export function baggageOf(given: string, dsc: Record<string, string | undefined>): string {
  const members = given ? [given] : []
  if (!/(^|,)\s*sentry-/.test(given)) {
    for (const key in dsc) if (dsc[key]) members.push(`sentry-${key}=${encodeURIComponent(dsc[key])}`)
  }
  // As browsers join a header that is set twice.
  const header = members.join(', ')
  return header.length > MAX_BAGGAGE_CHARS
    ? header.slice(0, MAX_BAGGAGE_CHARS + 1).replace(/(^|,)[^,]*$/, '')
    : header
}

/**
 * The dynamic sampling context of an envelope header:
 * https://develop.sentry.dev/sdk/telemetry/traces/dynamic-sampling-context/
 * Frozen values from the server win. Undefined fields are left out when it is written as JSON.
 */
export function traceHeader({ options, dsn }: Client, trace: TraceState): Record<string, string> {
  return (
    trace.dsc ??
    ({
      trace_id: trace.traceId,
      public_key: dsn.publicKey,
      org_id: options.org ?? dsn.orgId,
      release: options.release,
      environment: options.environment,
      // A path may hold anything; what a person or a router named may not.
      transaction: trace.source === 'url' ? undefined : trace.name,
      sampled: trace.sampled?.toString(),
      sample_rate: trace.sampleRate?.toString(),
      sample_rand: trace.sampleRand,
    } as Record<string, string>)
  )
}
