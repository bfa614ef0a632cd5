/** One navigation as it goes on, and what its record says. Pure: times come in as `performance.now()`. */
import type {
  NavigationAttributes,
  NavigationOutcome,
  NavigationPhase,
  NavigationTrigger,
} from '@sonde/protocol/navigation'

export type Work = 'data' | 'chunk'

/** What an adapter knows beyond times. */
export type NavigationFacts = Partial<
  Pick<NavigationAttributes, 'reason' | 'prefetch' | 'prefetch_lead' | 'cache' | 'cache_age' | 'redirect_to'>
>

export type Navigation = {
  /** Also the id of its span. */
  readonly id: string
  readonly traceId: string
  readonly parentSpanId: string | undefined
  readonly router: string
  readonly trigger: NavigationTrigger
  readonly from: string
  readonly fromRoute: string | undefined
  to: string
  route: string | undefined
  /** Time stamp of the input that set it off. */
  readonly intentMs: number | undefined
  readonly startMs: number
  /** Of the first navigation of a chain of redirects. */
  readonly originMs: number
  readonly redirectedFrom: string | undefined
  /** First start and last end of loads. */
  readonly loads: { [W in Work]?: [startMs: number, endMs: number] }
  facts: NavigationFacts
  outcome?: NavigationOutcome
  endMs?: number
  commitMs?: number
  paintMs?: number
  settledMs?: number
  softNavigationId?: number
  bytes?: number
  requests?: number
}

/** Widens the time that this kind of work took. */
export function addLoad({ loads }: Navigation, work: Work, startMs: number, endMs: number): void {
  const [start, end] = loads[work] ?? [startMs, endMs]
  loads[work] = [Math.min(start, startMs), Math.max(end, endMs)]
}

/** Names as in `NavigationAttributes`; undefined ones are not sent. */
export function attributesOf(navigation: Navigation, build: string | undefined): Record<string, unknown> {
  const { startMs, intentMs, loads, commitMs, paintMs, settledMs, facts } = navigation
  const starts = Object.values(loads)
  const loadStartMs = Math.min(...starts.map(([start]) => start))
  const loadEndMs = Math.max(startMs, ...starts.map(([, end]) => end))
  const phases: Record<NavigationPhase, number | undefined> = {
    intent: between(intentMs, startMs),
    match: starts.length ? between(startMs, loadStartMs) : undefined,
    data: loads.data && between(...loads.data),
    chunk: loads.chunk && between(...loads.chunk),
    commit: between(loadEndMs, commitMs),
    paint: between(commitMs, paintMs),
    settled: between(paintMs, settledMs),
  }
  const attributes: Record<string, unknown> = {
    trigger: navigation.trigger,
    outcome: navigation.outcome,
    from: navigation.from,
    to: navigation.to,
    from_route: navigation.fromRoute,
    to_route: navigation.route,
    router: navigation.router,
    visible_after: between(navigation.originMs, paintMs),
    redirected_from: navigation.redirectedFrom,
    soft_navigation_id: navigation.softNavigationId,
    bytes: navigation.bytes,
    requests: navigation.requests,
    build,
    ...facts,
  }
  for (const phase in phases) attributes[`phase.${phase}`] = phases[phase as NavigationPhase]
  return attributes
}

/** Never below 0: the browser rounds time stamps of input otherwise than its clock. */
function between(startMs: number | undefined, endMs: number | undefined): number | undefined {
  return startMs === undefined || endMs === undefined ? undefined : Math.max(0, Math.round(endMs - startMs))
}
