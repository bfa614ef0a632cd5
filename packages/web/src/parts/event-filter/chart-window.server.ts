import { type EventFilter, spanOf } from './event-filter.ts'

const DAY_MS = 86_400_000
/** Longer than events are kept by default, and as much as bars can tell. */
const MAX_MS = 90 * DAY_MS
/** A day of bars shows that nothing else happened. */
const MIN_MS = DAY_MS

/**
 * What the chart of an issue shows: the span that is asked for, or its whole life up to now, from a day to 90. Of an
 * issue that was last seen longer ago, the days up to then.
 */
export function chartWindow(
  { firstSeenMs, lastSeenMs }: { readonly firstSeenMs: number; readonly lastSeenMs: number },
  filter: EventFilter,
  nowMs: number,
): { readonly fromMs: number; readonly toMs: number } {
  const requested = spanOf(filter, nowMs)
  if (requested)
    return { fromMs: requested.fromMs, toMs: Math.max(requested.toMs ?? nowMs, requested.fromMs + 1) }
  const toMs = lastSeenMs < nowMs - MAX_MS ? lastSeenMs + MIN_MS : Math.max(nowMs, lastSeenMs + 1)
  const fromMs = Math.min(toMs - MIN_MS, Math.max(firstSeenMs, toMs - MAX_MS))
  return { fromMs: Math.max(0, fromMs), toMs }
}
