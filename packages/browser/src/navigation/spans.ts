/** Spans of their own, as a v2 container: https://develop.sentry.dev/sdk/telemetry/spans/span-protocol/ */
import { PAGE_START_ATTRIBUTE } from '@sonde/protocol/navigation'
import { epochSec } from '../tracing/tracer.ts'
import type { Item, NavigationClient } from '../types.ts'
import { SDK_NAME, SDK_VERSION } from '../version.ts'

export type LooseSpan = {
  readonly traceId: string
  readonly spanId: string
  readonly parentSpanId?: string | undefined
  readonly op: string
  readonly name: string
  readonly isError?: boolean
  /** Milliseconds of `performance.now()`. */
  readonly startMs: number
  readonly endMs: number
  /** Undefined ones are left out. */
  readonly attributes: Record<string, unknown>
  readonly prefix: string
}

export function toItem(
  { options, scope, sdk = { name: SDK_NAME, version: SDK_VERSION } }: NavigationClient,
  spans: readonly LooseSpan[],
): Item {
  const shared: Record<string, unknown> = {
    'sentry.release': options.release,
    'sentry.dist': options.dist,
    'sentry.environment': options.environment,
    'sentry.sdk.name': sdk.name,
    'sentry.sdk.version': sdk.version,
    'sentry.origin': 'auto.ui.sonde',
    'user.id': scope.user?.['id'],
    'user.email': scope.user?.['email'],
    // Tells tabs apart without an id: two documents rarely begin in the same tenth of a millisecond.
    [PAGE_START_ATTRIBUTE]: performance.timeOrigin,
  }
  const items = spans.map((span) => {
    const all: Record<string, unknown> = { 'sentry.op': span.op, ...shared }
    for (const name in span.attributes) all[span.prefix + name] = span.attributes[name]
    const attributes: Record<string, unknown> = {}
    for (const name in all) {
      const value = all[name]
      if (value !== undefined) attributes[name] = { type: typeOf(value), value }
    }
    return {
      trace_id: span.traceId,
      span_id: span.spanId,
      parent_span_id: span.parentSpanId,
      name: span.name,
      status: span.isError ? 'error' : 'ok',
      is_segment: false,
      start_timestamp: epochSec(span.startMs),
      end_timestamp: epochSec(span.endMs),
      attributes,
    }
  })
  const header = {
    type: 'span',
    item_count: items.length,
    content_type: 'application/vnd.sentry.items.span.v2+json',
  }
  const ingest = { infer_ip: options.sendIp ? 'auto' : 'never', infer_user_agent: 'auto' }
  return [header, { version: 2, ingest_settings: ingest, items }]
}

const typeOf = (value: unknown): string =>
  typeof value === 'number' ? (Number.isInteger(value) ? 'integer' : 'double') : typeof value
