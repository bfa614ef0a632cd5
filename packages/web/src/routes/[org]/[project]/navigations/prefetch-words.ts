/** What fetching ahead came to, in words that can be acted on. */
import type { RoutePrefetch } from '@sonde/queries'
import { formatBytes, formatExact, formatShare } from '../../../../format/format-count.ts'
import type { AlertStart } from '../../../../parts/alerts/alert-start.ts'

/** What the counts of fetching a route ahead come to, in a sentence that can be acted on. */
type Counted = Pick<RoutePrefetch, 'issued' | 'used' | 'late' | 'stale' | 'wasted'>

/** Below this a share is noise. */
const FEW = 20
const MANY = 0.5

export function prefetchVerdict({ issued, used, late, stale, wasted }: Counted): string {
  if (issued < FEW) return 'Not enough data'
  const needed = used + late + stale
  if (wasted / issued > 0.8) return 'Mostly unused: prefetch on hover or focus instead of in viewport'
  if (needed > 0 && stale / needed > MANY)
    return 'Goes stale before use: raise the stale time or prefetch later'
  if (needed > 0 && late / needed > MANY) return 'Too late: prefetch earlier or speed up the endpoint'
  if (wasted / issued > MANY) return 'Partly useful; over half is unused'
  return 'Worth it'
}

/** Milliseconds that a prefetch hit saves (p75); undefined with too few samples to compare. */
export function prefetchGain({
  usedP75,
  noneP75,
  usedSamples,
  noneSamples,
}: Pick<RoutePrefetch, 'usedP75' | 'noneP75' | 'usedSamples' | 'noneSamples'>): number | undefined {
  if (usedP75 === undefined || noneP75 === undefined || Math.min(usedSamples, noneSamples) < FEW)
    return undefined
  return noneP75 - usedP75
}

/** Below this the share that nobody used is not sure enough to be counted up to a day. */
const ENOUGH = 100
const DAY_MS = 86_400_000

/**
 * What prefetching on hover instead saves, where most is unused: `saves up to about 1,240 requests and 38.0 MB a day`. What is
 * hovered and not followed is still fetched, so it is the most that can be saved. Empty: nothing to say, or too few to say it.
 */
export function prefetchSaving(
  {
    issued,
    wasted,
    requests,
    wastedBytes,
  }: Pick<RoutePrefetch, 'issued' | 'wasted' | 'requests' | 'wastedBytes'>,
  windowMs: number,
): string {
  if (issued < ENOUGH || wasted / issued <= 0.8 || windowMs < DAY_MS / 24) return ''
  const aDay = DAY_MS / windowMs
  const saved = Math.round((requests === undefined ? wasted : (requests * wasted) / issued) * aDay)
  const bytes = wastedBytes === undefined ? '' : ` and ${formatBytes(Math.round(wastedBytes * aDay))}`
  return `saves up to about ${formatExact(saved)} requests${bytes} a day (used: ${formatShare(issued - wasted, issued)} of ${formatExact(issued)})`
}

/** An alert rule on a storm: five times what is usual here, and not below a hundred a minute. */
export function stormStart(rows: readonly Pick<RoutePrefetch, 'issued'>[], windowMs: number): AlertStart {
  const name = 'Prefetch storm'
  if (rows.length === 0) return { name, metric: 'prefetches|server_share()', trigger: '50' }
  const aMinute = rows.reduce((sum, { issued }) => sum + issued, 0) / (windowMs / 60_000)
  const trigger = Math.max(100, Math.ceil(aMinute / 2) * 10)
  return { name, metric: 'prefetches|per_minute()', trigger: String(trigger) }
}
