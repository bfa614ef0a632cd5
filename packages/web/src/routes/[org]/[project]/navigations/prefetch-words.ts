/** What fetching ahead came to, in words that can be acted on. */
import type { OriginPrefetches, RoutePrefetch, Waste } from '@sonde/queries'
import { countOf, formatBytes, formatExact, formatShare } from '../../../../format/format-count.ts'
import type { AlertStart } from '../../../../parts/alerts/alert-start.ts'

/** What the counts of fetching a route ahead come to, in a sentence that can be acted on. */
type Counted = Pick<RoutePrefetch, 'issued' | 'used' | 'late' | 'stale' | 'wasted' | 'waste'>

/** Below this a percentile is noise. */
const FEW = 20
const MANY = 0.5

export function prefetchVerdict({ issued, used, late, stale, wasted, waste }: Counted): string {
  if (waste.kind === 'few') return `Not enough data: needs ${missingText(waste)}`
  const needed = used + late + stale
  if (isMostlyUnused(waste)) return 'Mostly unused: prefetch on hover or focus instead of in viewport'
  if (needed > 0 && stale / needed > MANY)
    return 'Goes stale before use: raise the stale time or prefetch later'
  if (needed > 0 && late / needed > MANY) return 'Too late: prefetch earlier or speed up the endpoint'
  if (wasted / issued > MANY) return 'Partly useful; over half is unused'
  return 'Worth it'
}

const missingText = ({ prefetches, pages }: Extract<Waste, { kind: 'few' }>): string =>
  [
    prefetches > 0 && countOf(prefetches, 'more prefetch', 'more prefetches'),
    pages > 0 && countOf(pages, 'more page view'),
  ]
    .filter((text) => text !== false)
    .join(' and ')

/** Surely more than half, and by what was seen more than four of five. */
const isMostlyUnused = (waste: Waste): waste is Extract<Waste, { kind: 'known' }> =>
  waste.kind === 'known' && waste.share.value > 0.8 && waste.share.low > MANY

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

const DAY_MS = 86_400_000

/**
 * What prefetching on hover instead saves, where most is unused: `saves up to 1,240 requests (1,190 to 1,280) and 38.0 MB a day`.
 * What is hovered and not followed is still fetched, so it is the most that can be saved. Empty: nothing to say, or too few to
 * say it.
 */
export function prefetchSaving(
  {
    issued,
    requests = issued,
    wastedBytes,
    waste,
  }: Pick<RoutePrefetch, 'issued' | 'requests' | 'wastedBytes' | 'waste'>,
  windowMs: number,
): string {
  if (!isMostlyUnused(waste) || windowMs < DAY_MS / 24) return ''
  const { value, low, high } = waste.share
  const aDay = DAY_MS / windowMs
  const saved = (share: number): string => formatExact(Math.round(requests * share * aDay))
  const bytes = wastedBytes === undefined ? '' : ` and ${formatBytes(Math.round(wastedBytes * aDay))}`
  return `saves up to ${saved(value)} requests (${saved(low)} to ${saved(high)})${bytes} a day; unused: ${formatShare(value, 1)}, 95% interval ${formatShare(low, 1)} to ${formatShare(high, 1)}`
}

/** `91% unused, 38% of server requests`: the latter where servers tell of the same route. */
export function prefetchCost(
  { route, issued, wasted }: Pick<RoutePrefetch, 'route' | 'issued' | 'wasted'>,
  origin: OriginPrefetches | undefined,
): string {
  const key = routeKey(route)
  const asked = origin?.routes.filter((each) => routeKey(each.route) === key) ?? []
  const prefetches = asked.reduce((sum, each) => sum + each.prefetches, 0)
  const ofServers =
    origin && prefetches > 0 ? `, ${formatShare(prefetches, origin.requests)} of server requests` : ''
  return `${formatShare(wasted, issued)} unused${ofServers}`
}

/** Routers and servers write the same route as `/orders/[id]`, `GET /orders/:id`, `/orders/{id}`, `/orders/<int:id>`. */
const routeKey = (route: string): string =>
  route
    .replace(/^[A-Z]+ /, '')
    .replaceAll(/(?<=\/)(?:\[[^/]*\]|:[^/]+|\{[^/]*\}|<[^/]*>)/g, '*')
    .replace(/(?<=.)\/$/, '')

/** An alert rule on a storm: five times what is usual here, and not below a hundred a minute. */
export function stormStart(rows: readonly Pick<RoutePrefetch, 'issued'>[], windowMs: number): AlertStart {
  const name = 'Prefetch storm'
  if (rows.length === 0) return { name, metric: 'prefetches|server_share()', trigger: '50' }
  const aMinute = rows.reduce((sum, { issued }) => sum + issued, 0) / (windowMs / 60_000)
  const trigger = Math.max(100, Math.ceil(aMinute / 2) * 10)
  return { name, metric: 'prefetches|per_minute()', trigger: String(trigger) }
}
