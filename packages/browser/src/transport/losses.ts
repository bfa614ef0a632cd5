/** What was not sent, for the client report: https://develop.sentry.dev/sdk/telemetry/client-reports/ */
import type { Item } from '../types.ts'

/** An entry of a client report that is lost with its envelope keeps its own `reason`. */
export type Lost = { readonly category: string; readonly quantity: number; readonly reason?: string }

export type Losses = {
  add(reason: string, category: string, quantity?: number): void
  /** Everything counted since the last call. */
  take(): Lost[]
}

export function createLosses(): Losses {
  let entries: Record<string, Lost> = {}
  return {
    add(reason, category, quantity = 1) {
      const key = reason + category
      entries[key] = { reason, category, quantity: (entries[key]?.quantity ?? 0) + quantity }
    },
    take() {
      const taken = Object.values(entries)
      entries = {}
      return taken
    },
  }
}

/** A transaction that is lost takes its spans with it, itself counted as one of them. */
export function lostWith([{ type }, payload]: Item): Lost[] {
  const category = type === 'event' ? 'error' : type
  const { spans, items } = payload as { spans?: unknown[]; items?: unknown[] }
  return spans
    ? [
        { category, quantity: 1 },
        { category: 'span', quantity: spans.length + 1 },
      ]
    : [{ category, quantity: items ? items.length : 1 }]
}
