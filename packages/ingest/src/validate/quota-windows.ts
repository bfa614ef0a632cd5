/** Fixed windows that begin with the first item: across a boundary up to twice the quota may pass. State is per process. */
import { createBoundedMap } from '@sonde/base'

export type QuotaWindow = { left: number; readonly endsAtMs: number }

/** The window of `id` that runs now, or a new one. Keep the id's quota in the id when it may change. */
export type OpenWindow = (id: string, count: number, lengthMs: number, nowMs: number) => QuotaWindow

// Keys × categories × scopes of a large installation; beyond it, the oldest windows begin anew.
const MAX_WINDOWS = 100_000

export function createQuotaWindows(maxWindows: number = MAX_WINDOWS): OpenWindow {
  const windows = createBoundedMap<string, QuotaWindow>(maxWindows)
  return (id, count, lengthMs, nowMs) => {
    const known = windows.get(id)
    if (known && known.endsAtMs > nowMs) return known
    const window = { left: count, endsAtMs: nowMs + lengthMs }
    windows.set(id, window)
    return window
  }
}
