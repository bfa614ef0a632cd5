/** Everything that the screen of navigations shows, in one go: each question is one bounded query. */
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
import type { ProjectScope } from '@sonde/access'
import type { LoadArgs } from '@sonde/router/server'
import {
  filterChoices,
  isFiltered,
  performanceFilterOf,
} from '../../../../parts/filter-bar/filter-of.server.ts'
import type { AppContext } from '../../../../server/app-context.server.ts'
import { projectScope } from '../../../../parts/access/page-scope.server.ts'
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
  const scope = await projectScope(args, 'event:read')
  const { searchParams: params } = args.url
  const nowMs = clock.nowMs()
  const { from, to, navigation, sort } = navigationPlace(params)
  const filter = { ...performanceFilterOf(params, nowMs), from, to }
  const isPair = from !== undefined || to !== undefined
  const [whole, counted] = await Promise.all([
    Promise.all([
      pageDataFailures(queries, scope, { ...filter, limit: 30 }),
      filterChoices(queries, scope, { params, nowMs, source: 'navigations' }),
      navigation === undefined ? undefined : loadOneNavigation(queries, scope, navigation),
      isPair ? slowestNavigations(queries, scope, { ...filter, limit: 10 }) : undefined,
    ]),
    loadCounted(queries, scope, filter, isPair),
  ])
  const [pageData, choices, one, slowest] = whole
  const { summary, pairs, chunks } = counted
  const isEmpty = summary.total.samples === 0 && chunks.length === 0 && pageData.length === 0
  const keys = isEmpty ? await projectKeys(queries, scope) : []
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
  scope: ProjectScope,
  filter: NavigationFilter,
  isPair: boolean,
) {
  const part = await navigationPart(queries, scope, filter)
  const input = { ...filter, part }
  const building = buildsInUse(queries, scope, input)
  const [summary, pairs, hung, full, chunks, prefetches, caches, builds, parts, deploys] = await Promise.all([
    navigationSummary(queries, scope, input),
    routeNavigations(queries, scope, { ...input, limit: PAIRS_READ, phases: false }),
    hungNavigations(queries, scope, { ...input, limit: 20 }),
    fullLoads(queries, scope, input),
    chunkFailures(queries, scope, input, building),
    routePrefetches(queries, scope, { ...input, limit: 30 }),
    routeCaches(queries, scope, { ...input, limit: 30 }),
    building,
    isPair ? navigationBreakdown(queries, scope, input) : undefined,
    deployMarkers(queries, [scope.projectId], filter),
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
