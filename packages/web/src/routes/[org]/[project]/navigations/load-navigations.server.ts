/** Everything that the screen of navigations shows, in one go: each question is one bounded query. */
import type { Grant } from '@sonde/access'
import {
  buildsInUse,
  chunkFailures,
  deployMarkers,
  fullLoads,
  hungNavigations,
  type NavigationFilter,
  navigationBreakdown,
  navigationPart,
  navigationSummary,
  pageDataFailures,
  projectKeys,
  type QueryDeps,
  routeCaches,
  routeNavigations,
  routePrefetches,
  slowestNavigations,
  withDeploys,
} from '@sonde/queries'
import type { LoadArgs } from '@sonde/router/server'
import {
  filterChoices,
  isFiltered,
  performanceFilterOf,
} from '../../../../parts/filter-bar/filter-of.server.ts'
import type { AppContext } from '../../../../server/app-context.server.ts'
import { projectGrant } from '../../../../parts/access/page-grant.server.ts'
import { shownChunks } from './chunk-texts.ts'
import { loadOneNavigation } from './load-one.server.ts'
import { navigationPlace } from './navigation-address.ts'
import { buildMarkers } from './navigation-trends.ts'
import { orderPairs } from './pair-order.ts'

/** Read, so that the order is of all of them, and shown. */
const PAIRS_READ = 1_000
const PAIRS_SHOWN = 50

export async function loadNavigations(args: LoadArgs<AppContext, 'org' | 'project'>) {
  const { queries, clock } = args.context
  const grant = await projectGrant(args, 'event:read')
  const { searchParams: params } = args.url
  const nowMs = clock.nowMs()
  const { from, to, navigation, sort } = navigationPlace(params)
  const filter = { ...performanceFilterOf(params, nowMs), from, to }
  const isPair = from !== undefined || to !== undefined
  const [whole, counted] = await Promise.all([
    Promise.all([
      pageDataFailures(queries, grant, { ...filter, limit: 30 }),
      filterChoices(queries, grant, { params, nowMs, source: 'navigations' }),
      navigation === undefined ? undefined : loadOneNavigation(queries, grant, navigation),
      isPair ? slowestNavigations(queries, grant, { ...filter, limit: 10 }) : undefined,
    ]),
    loadCounted(queries, grant, filter, isPair),
  ])
  const [pageData, choices, one, slowest] = whole
  const { summary, pairs, chunks } = counted
  const isEmpty = summary.total.samples === 0 && chunks.length === 0 && pageData.length === 0
  const keys = isEmpty ? await projectKeys(queries, grant) : []
  return {
    ...counted,
    pairs: orderPairs(pairs, sort).slice(0, PAIRS_SHOWN),
    pairCount: pairs.length,
    pageData,
    choices,
    one,
    slowest,
    isEmpty,
    isNarrowed: isFiltered(params) || isPair,
    dsn: keys.find((key) => key.isActive)?.dsn,
  }
}

/** What is counted over all navigations: of very many a part is read. */
async function loadCounted(
  queries: QueryDeps,
  grant: Grant<'event:read', 'project'>,
  filter: NavigationFilter,
  isPair: boolean,
) {
  const part = await navigationPart(queries, grant, filter)
  const input = { ...filter, part }
  const building = buildsInUse(queries, grant, input)
  const [summary, pairs, hung, full, chunks, prefetches, caches, builds, parts, deploys] = await Promise.all([
    navigationSummary(queries, grant, input),
    routeNavigations(queries, grant, { ...input, limit: PAIRS_READ, phases: false }),
    hungNavigations(queries, grant, { ...input, limit: 20 }),
    fullLoads(queries, grant, input),
    chunkFailures(queries, grant, input, building),
    routePrefetches(queries, grant, { ...input, limit: 30 }),
    routeCaches(queries, grant, { ...input, limit: 30 }),
    building,
    isPair ? navigationBreakdown(queries, grant, input) : undefined,
    deployMarkers(queries, [grant.projectId], filter),
  ])
  const markers = withDeploys(buildMarkers(builds, summary.trend), deploys)
  return {
    part,
    summary,
    pairs,
    hung,
    fullLoads: full,
    chunks: chunks.map(shownChunks),
    prefetches,
    caches,
    markers,
    parts,
  }
}
