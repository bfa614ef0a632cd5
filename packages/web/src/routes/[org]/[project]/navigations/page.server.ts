/** Everything the navigations screen shows; each question is one bounded query. */
import { type Grant, mayAlso } from '@sonde/access'
import {
  buildsInUse,
  chunkFailures,
  type ChunkFailures,
  deployMarkers,
  deployments,
  fullLoads,
  hungNavigations,
  issuesOfTraces,
  navigationBreakdown,
  type NavigationFilter,
  navigationOf,
  navigationPart,
  navigationSummary,
  type NavigationVital,
  originPrefetches,
  pageBefore,
  pageDataFailures,
  projectKeys,
  type QueryDeps,
  routeCaches,
  routeNavigations,
  routePrefetches,
  slowestNavigations,
  speculatedLoads,
  stockNavigations,
  vitalsOfNavigation,
  withDeploys,
} from '@sonde/queries'
import type { LoadArgs } from '@sonde/router/server'
import { orgGrant, projectGrant } from '../../../../parts/access/page-grant.server.ts'
import {
  filterChoices,
  isFiltered,
  performanceFilterOf,
} from '../../../../parts/filter-bar/filter-of.server.ts'
import { type UnreadableText, unreadableText } from '../../../../parts/scripts/script-text.ts'
import { vitalText, vitalTitle } from '../../../../parts/vitals/vital-words.ts'
import type { AppContext } from '../../../../server/app-context.server.ts'
import { navigationPlace, orderPairs } from './navigation-address.ts'
import { buildMarkers } from './navigation-figures.ts'

/** All pairs are read so that the order is right; only the first are shown. */
const PAIRS_READ = 1_000
const PAIRS_SHOWN = 50

export async function load(args: LoadArgs<AppContext, 'org' | 'project'>) {
  const { queries, clock } = args.context
  const [grant, seen] = await Promise.all([projectGrant(args, 'event:read'), orgGrant(args, 'event:read')])
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
      originPrefetches(queries, grant, filter, seen),
      speculatedLoads(queries, grant, filter),
    ]),
    loadCounted(queries, grant, filter, isPair),
  ])
  const [pageData, choices, one, slowest, origin, speculated] = whole
  const { summary, pairs, chunks, stock } = counted
  const isUnrecorded = summary.total.samples === 0 && chunks.length === 0 && pageData.length === 0
  const isEmpty = isUnrecorded && stock.targets.length === 0
  const keys = isEmpty ? await projectKeys(queries, grant) : []
  return {
    ...counted,
    pairs: orderPairs(pairs, sort).slice(0, PAIRS_SHOWN),
    pairCount: pairs.length,
    pageData,
    choices,
    one,
    slowest,
    origin,
    speculated,
    windowMs: filter.toMs - filter.fromMs,
    isEmpty,
    isUnrecorded,
    mayAlert: mayAlso(grant, 'alert:write'),
    isNarrowed: isFiltered(params) || isPair,
    dsn: keys.find((key) => key.isActive)?.dsn,
  }
}

/** What is counted over all navigations; of a very large number only a sample is read. */
async function loadCounted(
  queries: QueryDeps,
  grant: Grant<'event:read', 'project'>,
  filter: NavigationFilter,
  isPair: boolean,
) {
  const part = await navigationPart(queries, grant, filter)
  const input = { ...filter, part, toldBy: 'recorder' as const }
  // Until now: what replaced a build of the window may have come after it.
  const building = buildsInUse(queries, grant, { ...input, toMs: queries.clock.nowMs() })
  const failing = chunkFailures(queries, grant, input, building)
  const [summary, pairs, hung, full, chunks, prefetches, caches, builds, parts, deploys, stock, deployed] =
    await Promise.all([
      navigationSummary(queries, grant, input),
      routeNavigations(queries, grant, { ...input, limit: PAIRS_READ, phases: false }),
      hungNavigations(queries, grant, { ...input, limit: 20 }),
      fullLoads(queries, grant, input),
      failing,
      routePrefetches(queries, grant, { ...input, limit: 30 }),
      routeCaches(queries, grant, { ...input, limit: 30 }),
      building,
      isPair ? navigationBreakdown(queries, grant, input) : undefined,
      deployMarkers(queries, [grant.projectId], filter),
      stockNavigations(queries, grant, { ...filter, part }),
      deployments(queries, grant, input, building, failing),
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
    stock,
    deployments: deployed,
  }
}

// One navigation, with what failed in it and the issue that its errors went to.

/** A failure is reported at most 8 s after its last attempt, and a navigation times out after 60 s. */
const AROUND_MS = 2 * 60_000

/** One navigation with its failures, its web vitals and the related issue; undefined when it is not stored. */
export async function loadOneNavigation(
  queries: QueryDeps,
  grant: Grant<'event:read', 'project'>,
  navigationId: string,
) {
  const navigation = await navigationOf(queries, grant, { navigationId })
  if (navigation === undefined) return undefined
  const { atMs, traceId, fromRoute, outcome } = navigation
  const around = { fromMs: Math.max(0, atMs - AROUND_MS), toMs: atMs + AROUND_MS }
  const isLeftUnknown = outcome === 'unknown' && fromRoute === ''
  const [failures, issues, vitals, before] = await Promise.all([
    pageDataFailures(queries, grant, { ...around, navigation: navigation.navigationId, limit: 10 }),
    issuesOfTraces(queries, grant, [{ traceId, atMs }]),
    vitalsOfNavigation(queries, grant, navigation.navigationId),
    isLeftUnknown ? pageBefore(queries, grant, navigation) : undefined,
  ])
  const requests = failures.map(({ endpoint, answers, attempts, seen, recovered }) => ({
    endpoint,
    answer: answers[0]?.answer ?? '',
    attempts,
    isSeen: seen > 0,
    isRecovered: recovered > 0,
  }))
  const known = before === undefined ? navigation : { ...navigation, fromRoute: before }
  return { navigation: known, failures: requests, issue: issues.get(traceId), vitals: vitals.map(vitalFact) }
}

/** Of a soft navigation, counted by the browser from the input: `LCP`, `840 ms, main > img`. */
const vitalFact = ({ name, value, element }: NavigationVital): readonly [name: string, value: string] => [
  vitalTitle(name),
  [vitalText(name, value), element].filter(Boolean).join(', '),
]

/** Failed code loads, with the reason in words: only the server has the texts. */
export type ChunksShown = Omit<ChunkFailures, 'files'> & {
  readonly files: readonly Pick<ChunkFailures['files'][number], 'url' | 'sources' | 'uploaded'>[]
  /** Why no file could be read. Undefined when at least one could: that is enough to know where to look. */
  readonly unread: UnreadableText | undefined
}

export function shownChunks({ files, ...rest }: ChunkFailures): ChunksShown {
  const isAnyRead = files.some(({ sources }) => sources.length > 0)
  const reason = files.find(({ unreadable }) => unreadable !== undefined)?.unreadable
  return {
    ...rest,
    files: files.map(({ url, sources, uploaded }) => ({ url, sources, uploaded })),
    unread: isAnyRead || reason === undefined ? undefined : unreadableText(reason),
  }
}
