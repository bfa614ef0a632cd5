/** The performance of one release compared with another, in the time range of the address or the last 90 days. */
import type { Grant } from '@sonde/access'
import { type QueryDeps, releaseNavigations, releaseVitalChanges, vitalOverview } from '@sonde/queries'
import { readEventFilter, spanOf } from '../../../../parts/event-filter/event-filter.ts'

const DAY_MS = 86_400_000
const LONGEST_MS = 90 * DAY_MS
/** What arrives this very moment counts too. */
const MAX_AHEAD_MS = 60_000

export type ComparedInput = {
  readonly release: string
  readonly before: string
  readonly params: URLSearchParams
  readonly nowMs: number
}

export async function comparedReleases(
  queries: QueryDeps,
  grant: Grant<'event:read', 'project'>,
  { release, before, params, nowMs }: ComparedInput,
) {
  const window = comparedWindow(params, nowMs)
  const [vitals, own, others, navigations] = await Promise.all([
    releaseVitalChanges(queries, grant, { ...window, release, before }),
    vitalOverview(queries, grant, { ...window, release: [release] }),
    vitalOverview(queries, grant, { ...window, release: [before] }),
    releaseNavigations(queries, grant, { ...window, release, before }),
  ])
  return { release, before, vitals, own, others, navigations }
}

export function comparedWindow(params: URLSearchParams, nowMs: number) {
  const requested = readEventFilter(params)
  const span = spanOf(requested, nowMs)
  const toMs = Math.max(1, span?.toMs ?? nowMs + MAX_AHEAD_MS)
  const fromMs = Math.max(0, span?.fromMs ?? toMs - LONGEST_MS, toMs - LONGEST_MS)
  return { fromMs: Math.min(fromMs, toMs - 1), toMs, environment: requested.environments }
}
