/** Decides, from item headers alone, whether a key or its project may send more of one category. */
import type { Clock } from '@sonde/base'
import type { DataCategory } from '@sonde/protocol'
import type { KeyInfo } from '@sonde/stores/keys'
import { createQuotaWindows, type QuotaWindow, type QuotaWindows } from './quota-windows.ts'
import { CAPPED_CATEGORIES, type CapReason, createSpanCaps } from './span-caps.ts'
import { createSpikeCheck, type SpikeLimits, type SpikeReason } from './spike-limits.ts'

export type QuotaReason = 'key_quota' | 'project_quota'
export type RateLimitVerdict =
  | { readonly ok: true }
  | {
      readonly ok: false
      readonly retryAfterSec: number
      readonly scope: 'key' | 'project'
      readonly reason: QuotaReason | CapReason | SpikeReason
      /** What else has to wait: a cap of spans stops transactions too. */
      readonly categories?: readonly DataCategory[]
    }

export type RateLimitRequest = {
  readonly category: DataCategory
  readonly quantity: number
  /** Of the payload. Default 0. */
  readonly bytes?: number
  /** How many spans a transaction or item holds, asked only where spans are counted. Default: `quantity`. */
  readonly spans?: () => number
  /** Of a kind that no quota stops, because counts would be wrong without it; a flood of it is stopped. */
  readonly isNeverLimited?: boolean
}

/** Counts all of `quantity` or none; a batch larger than the whole quota never passes. Never throws. */
export type RateLimiter = (key: KeyInfo, ask: RateLimitRequest) => RateLimitVerdict

const OK: RateLimitVerdict = { ok: true }

/** `spikes`: of projects without a limit of their own. */
export function createRateLimiter(
  spikes: SpikeLimits,
  clock: Clock,
  windows: QuotaWindows = createQuotaWindows(),
): RateLimiter {
  const capOf = createSpanCaps(windows, clock)
  const spikeOf = createSpikeCheck(spikes, windows)

  return (key, { category, quantity, bytes = 0, spans = () => quantity, isNeverLimited = false }) => {
    const nowMs = clock.nowMs()
    const spike = spikeOf(key, { category, quantity, bytes, spans }, nowMs)
    if (!spike.ok) return { ...spike, scope: 'project' }
    if (isNeverLimited) {
      spike.take()
      return OK
    }
    const cap = capOf(key, category, spans)
    if (!cap.ok) {
      const { retryAfterSec, reason } = cap
      return { ok: false, retryAfterSec, scope: 'project', reason, categories: CAPPED_CATEGORIES }
    }
    const { rateLimit, projectRateLimit } = key
    const open = (id: string, quota: NonNullable<typeof rateLimit>): QuotaWindow =>
      windows.open(`${id}:${category}`, quota.windowSec * 1_000, nowMs)
    const ofKey = rateLimit && open(`k${key.keyId}`, rateLimit)
    if (ofKey && rateLimit.count - ofKey.taken < quantity) return refused(ofKey, nowMs, 'key', 'key_quota')
    const ofProject = projectRateLimit && open(`p${key.projectId}`, projectRateLimit)
    if (ofProject && projectRateLimit.count - ofProject.taken < quantity)
      return refused(ofProject, nowMs, 'project', 'project_quota')
    if (ofKey) windows.take(ofKey, quantity)
    if (ofProject) windows.take(ofProject, quantity)
    cap.take()
    spike.take()
    return OK
  }
}

function refused(
  window: QuotaWindow,
  nowMs: number,
  scope: 'key' | 'project',
  reason: QuotaReason,
): RateLimitVerdict {
  // Rounded up, hence never 0: the JavaScript SDK takes 0 as "not limited".
  return { ok: false, retryAfterSec: Math.ceil((window.endsAtMs - nowMs) / 1_000), scope, reason }
}
