/** The screen of hydration: what differs, ranked by its cost; lost clicks; what is nobody's fault. */
import { benignCounts, hydrationRanks, hydrationRoutes, projectKeys } from '@sonde/queries'
import type { LoadArgs } from '@sonde/router/server'
import { projectGrant } from '../../../../parts/access/page-grant.server.ts'
import {
  filterChoices,
  isFiltered,
  performanceFilterOf,
} from '../../../../parts/filter-bar/filter-of.server.ts'
import type { AppContext } from '../../../../server/app-context.server.ts'

const ROUTES_SHOWN = 30

export async function load(args: LoadArgs<AppContext, 'org' | 'project'>) {
  const { queries, clock } = args.context
  const grant = await projectGrant(args, 'event:read')
  const { searchParams: params } = args.url
  const nowMs = clock.nowMs()
  const filter = performanceFilterOf(params, nowMs)
  const [ranks, routes, benign, choices] = await Promise.all([
    hydrationRanks(queries, grant, filter),
    hydrationRoutes(queries, grant, filter),
    benignCounts(queries, grant, filter),
    filterChoices(queries, grant, { params, nowMs, source: 'spans' }),
  ])
  const isEmpty = ranks.length === 0 && routes.length === 0 && benign.length === 0
  const keys = isEmpty ? await projectKeys(queries, grant) : []
  return {
    ranks,
    routes: routes.slice(0, ROUTES_SHOWN),
    pages: routes.reduce((sum, { pages }) => sum + pages, 0),
    benign,
    choices,
    isEmpty,
    isNarrowed: isFiltered(params),
    dsn: keys.find((key) => key.isActive)?.dsn,
  }
}
