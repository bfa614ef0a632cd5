/**
 * Spans that came without a transaction around them, by the segment they belong to, each with what an event of an issue has of
 * it. Only what came in one item is known: a segment that is sent in parts is looked at in parts.
 */
import type { JsonObject } from '@sonde/protocol/event'
import type { SpanWithFacts } from '../spans/encode-spans.ts'
import type { Span, SpanFacts } from '../spans/span.ts'
import type { FoundIn } from './found.ts'

type Segment = { readonly id: string; readonly event: FoundIn; readonly spans: readonly Span[] }

export function segmentsOf(
  itemId: string,
  list: readonly SpanWithFacts[],
  receivedMs: number,
): readonly Segment[] {
  const bySegment = new Map<string, { readonly facts: SpanFacts; readonly spans: Span[] }>()
  for (const { span, facts, sampling } of list) {
    if (sampling && !sampling.isKept) continue
    const key = `${span.traceId} ${span.segmentId}`
    const segment = bySegment.get(key) ?? { facts, spans: [] }
    segment.spans.push(span)
    bySegment.set(key, segment)
  }
  return [...bySegment].map(([key, { facts, spans }]) => ({
    id: `${itemId} ${key}`,
    event: eventOf(facts, spans, receivedMs),
    spans,
  }))
}

function eventOf(facts: SpanFacts, spans: readonly Span[], receivedMs: number): FoundIn {
  const { release, environment, segmentName, platform, sdkName, sdkVersion, browser, os } = facts
  const first = spans[0]
  const firstMs = spans.reduce((least, { startMs }) => Math.min(least, startMs), Infinity)
  const trace: JsonObject = {
    trace_id: first?.traceId ?? '',
    span_id: (first?.segmentId || first?.spanId) ?? '',
    type: 'trace',
  }
  return {
    platform: platform || 'other',
    timestamp: Math.min(firstMs, receivedMs) / 1000,
    received: receivedMs / 1000,
    ...(release !== '' && { release }),
    ...(environment !== '' && { environment }),
    ...(segmentName !== '' && { transaction: segmentName }),
    ...(sdkName !== '' && { sdk: { name: sdkName, version: sdkVersion } }),
    ...userOf(facts.userKey),
    contexts: {
      trace,
      ...(browser !== '' && { browser: { name: browser, type: 'browser' } }),
      ...(os !== '' && { os: { name: os, type: 'os' } }),
    },
  }
}

/** `id:7` as spans have it → the field of an event. */
function userOf(userKey: string): Pick<FoundIn, 'user'> {
  const at = userKey.indexOf(':')
  const [kind, value] = [userKey.slice(0, at), userKey.slice(at + 1)]
  if (value === '') return {}
  if (kind === 'id') return { user: { id: value } }
  if (kind === 'username') return { user: { username: value } }
  if (kind === 'email') return { user: { email: value } }
  return kind === 'ip' ? { user: { ip_address: value } } : {}
}
