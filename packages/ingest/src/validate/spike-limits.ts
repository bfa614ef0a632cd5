/**
 * What a project may send when nobody set a limit for it: enough for a bad release, too little for whoever took a public
 * DSN to fill the disk or to slow down every other project. docs/decisions/0023-spike-protection.md
 */
import type { DataCategory, OutcomeReason } from '@sonde/protocol'
import type { KeyInfo } from '@sonde/stores/keys'
import type { QuotaWindow, QuotaWindows } from './quota-windows.ts'
import { CAPPED_CATEGORIES } from './span-caps.ts'

/** Of one project within a minute; an hour takes `SPIKE_HOUR` times as much. What is left out has no limit. */
export type SpikeLimits = {
  /** Of errors, transactions, attachments and so on, each on its own. */
  readonly events?: number
  /** Of spans, those of transactions too, and on their own of metrics, log lines, sessions and client reports. */
  readonly spans?: number
  /** Of the payloads of each category. */
  readonly bytes?: number
}

/** A burst of twenty minutes an hour: whoever goes on for longer has a loop, or means it. */
export const SPIKE_HOUR = 20

export type SpikeReason = Extract<OutcomeReason<'rate_limited'>, `spike_${string}`>
export type SpikeRequest = {
  readonly category: DataCategory
  readonly quantity: number
  readonly bytes: number
  /** How many spans it holds. */
  readonly spans: () => number
}
export type SpikeVerdict =
  | { readonly ok: true; readonly take: () => void }
  | {
      readonly ok: false
      readonly retryAfterSec: number
      readonly reason: SpikeReason
      readonly categories?: readonly DataCategory[]
    }
export type SpikeCheck = (key: KeyInfo, ask: SpikeRequest, nowMs: number) => SpikeVerdict

// An operator who raises a limit expects data soon, and clients ask no sooner than they were told.
const MAX_RETRY_SEC = 600
const MINUTE_MS = 60_000
const HOUR_MS = 3_600_000

/** A hundred of them lie in one item or come with one page. */
const SMALL: ReadonlySet<DataCategory> = new Set([
  'span',
  'trace_metric',
  'metric_bucket',
  'log_item',
  'session',
  'internal',
  'user_report_v2',
])

const FREE: SpikeVerdict = { ok: true, take: () => undefined }

type Bound = { readonly name: string; readonly limit: number; readonly amount: () => number } & {
  readonly reason: SpikeReason
  readonly categories?: readonly DataCategory[]
}

export function createSpikeCheck(limits: SpikeLimits, windows: QuotaWindows): SpikeCheck {
  if (Object.values(limits).every((limit) => limit === undefined)) return () => FREE
  return (key, ask, nowMs) => {
    // Its own limit is a decision; this one is for want of any.
    if (key.projectRateLimit) return FREE
    const taken: (readonly [QuotaWindow, Bound])[] = []
    for (const bound of boundsOf(limits, key, ask)) {
      const id = `s${key.projectId}:${bound.name}`
      const minute = windows.open(`${id}:m`, MINUTE_MS, nowMs)
      const hour = windows.open(`${id}:h`, HOUR_MS, nowMs)
      for (const [window, limit] of [
        [hour, bound.limit * SPIKE_HOUR],
        [minute, bound.limit],
      ] as const) {
        // Whatever is left lets one more in: an item larger than the limit would never pass.
        if (window.taken >= limit) return refused(bound, window.endsAtMs - nowMs)
        taken.push([window, bound])
      }
    }
    return {
      ok: true,
      take() {
        for (const [window, { amount }] of taken) windows.take(window, amount())
      },
    }
  }
}

function boundsOf(limits: SpikeLimits, { spanCaps }: KeyInfo, ask: SpikeRequest): Bound[] {
  const { category, quantity, bytes, spans } = ask
  const bounds: Bound[] = []
  const isCapped = CAPPED_CATEGORIES.includes(category)
  if (isCapped && limits.spans !== undefined && spanCaps?.perMinute === undefined) {
    const categories = CAPPED_CATEGORIES
    bounds.push({ name: 'span', limit: limits.spans, amount: spans, reason: 'spike_spans', categories })
  }
  const amount = (): number => quantity
  if (SMALL.has(category)) {
    if (!isCapped && limits.spans !== undefined)
      bounds.push({ name: category, limit: limits.spans, amount, reason: 'spike_spans' })
  } else if (limits.events !== undefined)
    bounds.push({ name: category, limit: limits.events, amount, reason: 'spike_events' })
  if (limits.bytes !== undefined)
    bounds.push({
      name: `${category}_bytes`,
      limit: limits.bytes,
      amount: () => bytes,
      reason: 'spike_bytes',
    })
  return bounds
}

function refused({ reason, categories }: Bound, waitMs: number): SpikeVerdict {
  // Rounded up, hence never 0: the JavaScript SDK takes 0 as "not limited".
  const retryAfterSec = Math.min(MAX_RETRY_SEC, Math.ceil(waitMs / 1_000))
  return { ok: false, retryAfterSec, reason, ...(categories ? { categories } : {}) }
}
