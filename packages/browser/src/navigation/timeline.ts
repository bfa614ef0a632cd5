/** One navigation as it goes on, and what its record says. Pure: times come in as `performance.now()`. */
import type { NavigationAttributes, NavigationPhase } from '@sonde/protocol/navigation'
import type { TraceState } from '../types.ts'

export type Work = 'data' | 'chunk'

/** Names as they go on the wire. */
export type NavigationFacts = {
  -readonly [Name in keyof NavigationAttributes]?: NavigationAttributes[Name] | undefined
}

export type Navigation = {
  /** Also the id of its span. */
  readonly id: string
  trace: TraceState
  /** Everything that is no time. */
  readonly facts: NavigationFacts & Pick<NavigationAttributes, 'from' | 'to' | 'trigger'>
  /** Time stamp of the input that set it off. */
  readonly intentMs: number | undefined
  readonly startMs: number
  /** Of the first navigation of a chain of redirects. */
  readonly originMs: number
  /** First start and last end of loads. */
  readonly loads: { [W in Work]?: [startMs: number, endMs: number] }
  /** Loads that the router began and that have not ended. */
  readonly open: { [W in Work]?: number }
  /** Whether a request for this URL is its own, even where it began before: fetched ahead, or told late by the router. */
  readonly owns?: ((url: string) => boolean) | undefined
  /** A press on a link that the page handles: nobody has told of a navigation yet, and perhaps it is none. */
  isDraft?: boolean | undefined
  /** It came to that by a press alone, and the address has not changed. */
  isGuessed?: boolean | undefined
  /** The page says its end to the Navigation API. */
  isTold?: boolean
  /** The document changed before it was painted. */
  isChanged?: boolean
  endMs?: number
  commitMs?: number
  paintMs?: number | undefined
  /** By the browser's own entry of the navigation, where it makes one. */
  presentedMs?: number | undefined
  settledMs?: number | undefined
}

/** Widens the time that this kind of work took. Of what was fetched ahead only the wait counts. */
export function addLoad(navigation: Navigation, work: Work, startMs: number, endMs: number): void {
  const { loads, intentMs = navigation.startMs } = navigation
  const [start, end] = loads[work] ?? [startMs, endMs]
  loads[work] = [Math.max(intentMs, Math.min(start, startMs)), Math.max(end, endMs)]
}

/** The phase that a navigation is in which has not ended. */
export function phaseOf({ open, loads }: Navigation, hasRequests: boolean): NavigationPhase {
  if (hasRequests || open.data) return 'data'
  if (open.chunk) return 'chunk'
  return loads.data || loads.chunk ? 'commit' : 'match'
}

/** What the record says; undefined values are not sent. */
export function attributesOf(navigation: Navigation): Record<string, unknown> {
  const { startMs, intentMs, originMs, loads, commitMs, paintMs, settledMs, facts } = navigation
  const { data, chunk } = loads
  const starts = [data, chunk].flatMap((load) => load ?? [])
  const phases: Record<NavigationPhase, number | undefined> = {
    intent: between(intentMs, startMs),
    match: starts.length ? between(startMs, Math.min(...starts)) : undefined,
    data: data && between(...data),
    chunk: chunk && between(...chunk),
    commit: between(Math.max(startMs, ...starts), commitMs),
    paint: between(commitMs, paintMs),
    settled: between(paintMs, settledMs),
  }
  const attributes: Record<string, unknown> = { ...facts, visible_after: between(originMs, paintMs) }
  for (const phase in phases) attributes[`phase.${phase}`] = phases[phase as NavigationPhase]
  return attributes
}

/** Never below 0: the browser rounds time stamps of input otherwise than its clock. */
function between(startMs: number | undefined, endMs: number | undefined): number | undefined {
  return startMs === undefined || endMs === undefined ? undefined : Math.max(0, Math.round(endMs - startMs))
}
