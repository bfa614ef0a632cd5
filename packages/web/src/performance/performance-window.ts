/** Which time and environments the performance screens look at, as the address says it. */
import { readEventFilter, spanOf } from '../issue/event-filter.ts'

const DAY_MS = 86_400_000
/** As long as anything is kept unless the operator says otherwise. */
const ANY_TIME_MS = 90 * DAY_MS

export type PerformanceWindow = {
  readonly fromMs: number
  readonly toMs: number
  readonly environment: readonly string[]
}

export function performanceWindow(params: URLSearchParams, nowMs: number): PerformanceWindow {
  const filter = readEventFilter(params)
  const span = spanOf(filter, nowMs)
  return {
    fromMs: span?.fromMs ?? nowMs - ANY_TIME_MS,
    // What arrives this very moment counts too.
    toMs: span?.toMs ?? nowMs + 60_000,
    environment: filter.environments,
  }
}
