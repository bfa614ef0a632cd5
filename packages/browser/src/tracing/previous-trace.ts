/** The trace before this one in the same tab, also across page loads: https://develop.sentry.dev/sdk/telemetry/traces/span-links/ */
import type { TraceState } from '../types.ts'

/** Fact T4. After an hour it is another visit. */
const MAX_AGE_SEC = 3600
const KEY = 'sonde.trace'

export type Link = {
  trace_id: string
  span_id: string
  sampled: boolean | undefined
  attributes: Record<string, string>
}

/** The link to the root before, if it began recently enough. From now on `trace` is the one before. */
export function linkToPrevious({ traceId, spanId, sampled }: TraceState): Link[] | undefined {
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
