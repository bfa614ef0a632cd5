/** How many navigations of a time go wrong, how certain that is, and where it happens most. */
import type { Grant } from '@sonde/access'
import type { Estimate } from '../performance/change-interval.ts'
import {
  HUNG_SQL,
  navigationConditions,
  type NavigationFilter,
  navigationPart,
  WAITED_FOR_SQL,
} from '../performance/navigation-filter.ts'
import { type HungNavigations, hungNavigations } from '../performance/navigation-stuck.ts'
import { navigationSummary, TROUBLED_SQL } from '../performance/navigation-summary.ts'
import type { QueryDeps } from '../query-deps.ts'
import { shareSides } from '../releases/release-shares.ts'

type Deps = Pick<QueryDeps, 'records' | 'telemetry'>

export type NavigationShare = {
  /** Counted up from what was sampled. */
  readonly count: number
  /** Undefined: too few, or of too few people, to say how certain it is. */
  readonly estimate: Estimate | undefined
}
export type NavigationHealth = {
  /** Navigations that somebody waited for; 0: nobody tells their outcomes. */
  readonly count: number
  readonly samples: number
  /** Hung, left, failed or fell back; hung alone. */
  readonly troubled: NavigationShare
  readonly hung: NavigationShare
  /** People to whom one of these happened. */
  readonly troubledUsers: number
  /** Between which routes most hung or were left. */
  readonly worst: HungNavigations | undefined
}

/** Three reads of the navigations of the time; of very many a part is read. */
export async function navigationHealth(
  deps: Deps,
  grant: Grant<'event:read', 'project'>,
  filter: NavigationFilter,
): Promise<NavigationHealth> {
  const part = await navigationPart(deps, grant, filter)
  const input = { ...filter, part }
  const where = await navigationConditions(deps, grant, input)
  const none = { count: 0, estimate: undefined }
  if (!where) return { count: 0, samples: 0, troubled: none, hung: none, troubledUsers: 0, worst: undefined }
  const [[side], summary, [worst]] = await Promise.all([
    shareSides(deps, {
      from: 'navigations FINAL',
      where: { sql: `${where.sql} AND ${WAITED_FOR_SQL}`, params: where.params },
      isNowSql: 'toUInt8(1)',
      rowSql: 'navigation_id',
      shares: { troubled: TROUBLED_SQL, hung: HUNG_SQL },
    }),
    navigationSummary(deps, grant, { ...input, buckets: 1 }),
    hungNavigations(deps, grant, { ...input, limit: 1 }),
  ])
  const shareOf = (name: 'troubled' | 'hung'): NavigationShare =>
    side ? { count: Math.round(side.of[name].count / part), estimate: side.of[name].estimate } : none
  return {
    count: Math.round((side?.count ?? 0) / part),
    samples: Math.round((side?.samples ?? 0) / part),
    troubled: shareOf('troubled'),
    hung: shareOf('hung'),
    troubledUsers: summary.total.troubledUsers,
    worst,
  }
}
