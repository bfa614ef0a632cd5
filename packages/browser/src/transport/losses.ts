/** What was not sent, for the client report: https://develop.sentry.dev/sdk/telemetry/client-reports/ */
import type { Item } from '../types.ts'

export type Loss = { reason: string; category: string; quantity: number }

export type Losses = {
  add(reason: string, category: string, quantity?: number): void
  /** Everything counted since the last call, or nothing. */
  take(): Loss[] | undefined
}

export function createLosses(): Losses {
  let counts: Record<string, Loss> = {}
  return {
    add(reason, category, quantity = 1) {
      ;(counts[`${reason} ${category}`] ??= { reason, category, quantity: 0 }).quantity += quantity
    },
    take() {
      const losses = Object.values(counts)
      counts = {}
      return losses.length ? losses : undefined
    },
  }
}

const CATEGORIES: Record<string, string> = { event: 'error', client_report: 'internal', log: 'log_item' }

export const categoryOf = (type: string): string => CATEGORIES[type] ?? type

/** A transaction that is lost takes its spans with it, itself counted as one of them. */
export function lossesOf([header, payload]: Item): [category: string, quantity: number][] {
  const category = categoryOf(header.type)
  const { spans, items } = payload as { spans?: unknown[]; items?: unknown[] }
  if (category === 'transaction')
    return [
      [category, 1],
      ['span', (spans?.length ?? 0) + 1],
    ]
  return [[category, items?.length ?? 1]]
}
