/**
 * Whether a project may send more spans. Two caps: what it stored in its day or month, which the pipeline counts and
 * tells with the keys, so it holds through restarts; and how many it sends in a minute, counted here, so that a burst
 * is met at once. Errors are not looked at. docs/operate/sampling-and-cost.md
 */
import type { Clock } from '@sonde/base'
import type { DataCategory, EnvelopeItem } from '@sonde/protocol'
import type { KeyInfo } from '@sonde/stores/keys'
import type { QuotaWindows } from './quota-windows.ts'

export type CapReason = 'span_cap' | 'span_burst'
export type CapVerdict =
  | { readonly ok: true; readonly take: () => void }
  | { readonly ok: false; readonly retryAfterSec: number; readonly reason: CapReason }

/** What a cap stops: a transaction is its spans. */
export const CAPPED_CATEGORIES: readonly DataCategory[] = ['transaction', 'span']

// An operator who raises a cap expects data soon, and clients ask no sooner than they were told.
const MAX_RETRY_SEC = 600
const MINUTE_MS = 60_000

/** `spans` is asked only where a minute is counted. Never throws. */
export type SpanCapCheck = (key: KeyInfo, category: DataCategory, spans: () => number) => CapVerdict

const FREE: CapVerdict = { ok: true, take: () => undefined }

export function createSpanCaps(windows: QuotaWindows, clock: Clock): SpanCapCheck {
  return ({ projectId, spanCaps = {} }, category, spans) => {
    const { perMinute, refusedUntilMs = 0 } = spanCaps
    if (perMinute === undefined && refusedUntilMs === 0) return FREE
    if (!CAPPED_CATEGORIES.includes(category)) return FREE
    const nowMs = clock.nowMs()
    if (refusedUntilMs > nowMs) return refused('span_cap', refusedUntilMs - nowMs)
    if (perMinute === undefined) return FREE
    const window = windows.open(`c${projectId}`, MINUTE_MS, nowMs)
    // Whatever is left lets one more in: a transaction with more spans than the cap would never pass.
    if (window.taken >= perMinute) return refused('span_burst', window.endsAtMs - nowMs)
    return { ok: true, take: () => windows.take(window, spans()) }
  }
}

function refused(reason: CapReason, waitMs: number): CapVerdict {
  // Rounded up, hence never 0: the JavaScript SDK takes 0 as "not limited".
  return { ok: false, retryAfterSec: Math.min(MAX_RETRY_SEC, Math.ceil(waitMs / 1_000)), reason }
}

/**
 * Spans of a transaction, root included, or of a container, without reading its JSON: each has its id once. A link to
 * another span counts as one more, which a limit can bear.
 */
export function countSpanIds({ payload }: Pick<EnvelopeItem, 'payload'>): number {
  const bytes = Buffer.from(payload.buffer, payload.byteOffset, payload.byteLength)
  let count = 0
  for (let at = bytes.indexOf(SPAN_ID); at >= 0; at = bytes.indexOf(SPAN_ID, at + SPAN_ID.length)) count++
  return Math.max(1, count)
}

const SPAN_ID = Buffer.from('"span_id"')
