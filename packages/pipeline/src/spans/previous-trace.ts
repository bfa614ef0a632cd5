/**
 * The page before this one: browser SDKs link the root of a page to the root of the page before it. Streamed spans also
 * say it as an attribute, which is where it is kept; of transactions it is put there.
 * https://develop.sentry.dev/sdk/telemetry/traces/span-links/
 */
import { isObject, type RawObject } from '../normalize/read.ts'
import { hexId } from '../normalize/trace-context.ts'

export const PREVIOUS_TRACE_ATTRIBUTE = 'sentry.previous_trace'

/** `{trace}-{span}-{1 when sampled}` under the attribute's name; empty when no link says it. */
export function previousTraceOf(links: unknown): RawObject {
  if (!Array.isArray(links)) return {}
  for (const link of links.slice(0, MAX_LINKS) as unknown[]) {
    if (!isObject(link) || !isObject(link.attributes)) continue
    const kind = link.attributes['sentry.link.type']
    // Streamed spans have typed attributes.
    if ((isObject(kind) ? kind.value : kind) !== 'previous_trace') continue
    const traceId = hexId(link.trace_id, 32)
    const spanId = hexId(link.span_id, 16)
    if (traceId === undefined || spanId === undefined) continue
    return { [PREVIOUS_TRACE_ATTRIBUTE]: `${traceId}-${spanId}-${link.sampled === true ? 1 : 0}` }
  }
  return {}
}

/** A span has a few; more are not looked through. */
const MAX_LINKS = 100
