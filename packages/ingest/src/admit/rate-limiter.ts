/**
 * Decides, from item headers alone, whether a key or its project may send more of one category. Fixed
 * windows that begin with the first item: across a boundary up to twice the quota may pass. State is
 * per process: N ingest processes allow up to N times the quota.
 */
import type { Clock } from '@sonde/base'
import type { DataCategory } from '@sonde/protocol'
import type { Quota } from '../limits.ts'
import type { KeyInfo } from './key-directory.ts'
import { CAPPED_CATEGORIES, type CapReason, createSpanCaps } from './span-caps.ts'

export type QuotaReason = 'key_quota' | 'project_quota'
export type Verdict =
  | { readonly ok: true }
  | {
      readonly ok: false
      readonly retryAfterSec: number
      readonly scope: 'key' | 'project'
      readonly reason: QuotaReason | CapReason
      /** What else has to wait: a cap of spans stops transactions too. */
      readonly categories?: readonly DataCategory[]
    }

/**
 * Counts all of `quantity` or none; a batch larger than the whole quota never passes. Never throws. `spans`: how many a
 * transaction holds, asked only where spans are capped.
 */
export type RateLimiter = (
  key: KeyInfo,
  category: DataCategory,
  quantity: number,
  spans?: () => number,
) => Verdict

type Window = { left: number; endsAtMs: number }

const OK: Verdict = { ok: true }
// Keys × categories × two scopes of a large installation; beyond it, the oldest windows begin anew.
const MAX_WINDOWS = 100_000

export function createRateLimiter(
  everyProjectQuota: Quota | undefined,
  clock: Clock,
  maxWindows: number = MAX_WINDOWS,
): RateLimiter {
  const windows = new Map<string, Window>()

  const open = (id: string, quota: Quota, nowMs: number): Window => {
    const known = windows.get(id)
    if (known && known.endsAtMs > nowMs) return known
    const window = { left: quota.count, endsAtMs: nowMs + quota.windowSec * 1_000 }
    windows.delete(id) // so that `set` moves it to the end: Map order is eviction order
    windows.set(id, window)
    const oldest = windows.keys().next()
    if (windows.size > maxWindows && !oldest.done) windows.delete(oldest.value)
    return window
  }

  const capOf = createSpanCaps(clock)

  return (key, category, quantity, spans = () => quantity) => {
    const cap = capOf(key, category, spans)
    if (!cap.ok) {
      const { retryAfterSec, reason } = cap
      return { ok: false, retryAfterSec, scope: 'project', reason, categories: CAPPED_CATEGORIES }
    }
    const keyQuota = key.rateLimit
    const projectQuota = key.projectRateLimit ?? everyProjectQuota
    if (!keyQuota && !projectQuota) {
      cap.take()
      return OK
    }
    const nowMs = clock.nowMs()
    const ofKey = keyQuota && open(`k${key.keyId}:${category}`, keyQuota, nowMs)
    if (ofKey && quantity > ofKey.left) return refused(ofKey, nowMs, 'key', 'key_quota')
    const ofProject = projectQuota && open(`p${key.projectId}:${category}`, projectQuota, nowMs)
    if (ofProject && quantity > ofProject.left) return refused(ofProject, nowMs, 'project', 'project_quota')
    if (ofKey) ofKey.left -= quantity
    if (ofProject) ofProject.left -= quantity
    cap.take()
    return OK
  }
}

function refused(window: Window, nowMs: number, scope: 'key' | 'project', reason: QuotaReason): Verdict {
  // Rounded up, hence never 0: the JavaScript SDK takes 0 as "not limited".
  return { ok: false, retryAfterSec: Math.ceil((window.endsAtMs - nowMs) / 1_000), scope, reason }
}
