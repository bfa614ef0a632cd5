/**
 * What nobody in a page tells of: of the page views that servers tell of, the share in whose trace no SDK of a page said
 * anything. The page continues the server's trace where its HTML names it. docs/coverage.md
 */
import type { Grant } from '@sonde/access'
import { inProjects } from '@sonde/stores'
import { type Estimate, rateEstimate } from '../performance/change-interval.ts'
import type { PerformanceFilter } from '../performance/performance-filter.ts'
import type { QueryDeps } from '../query-deps.ts'
import { type PageView, pageViewRows, type PageViewRows } from './page-views.ts'

export type CoverageShare = {
  /** Counted up from what was sampled. */
  readonly views: number
  /** Share of them that no page told of; undefined: too few to say. */
  readonly unseen: Estimate | undefined
}
export type CoverageRow = CoverageShare & {
  /** Of a browser, a country or a route; empty: not known. */
  readonly name: string
}
export type PageCoverage =
  /** No page of the project told of a load, and no server of it of a page view. */
  | { readonly kind: 'nothing' }
  /** Pages told of loads, and no server of the organization's projects that the viewer may read of a page view. */
  | { readonly kind: 'no_server'; readonly loads: number }
  /** Both told, and no trace has both. */
  | { readonly kind: 'no_tags'; readonly views: number; readonly servers: readonly string[] }
  | {
      readonly kind: 'known'
      readonly total: CoverageShare
      /** Most views first; at most twelve each. */
      readonly browsers: readonly CoverageRow[]
      /** Empty where no server tells of countries. */
      readonly countries: readonly CoverageRow[]
      readonly routes: readonly CoverageRow[]
      /** Slugs of the projects whose servers told of these views. */
      readonly servers: readonly string[]
      /** Requests for documents of routes whose pages never continue the trace: left out of the share. */
      readonly untagged: readonly { readonly name: string; readonly views: number }[]
      /** Requests by crawlers, monitors and headless browsers: left out. */
      readonly programs: number
      /** Share of the traces that pages keep of those that servers keep: 1 unless a page samples by itself. */
      readonly kept: number
      readonly oneIn: number
    }

/** Fewer page loads behind a route's requests may be chance, such as an error page. */
const MIN_FOLLOWED = 5
const MAX_LISTED = 12
const MAX_UNTAGGED = 5

/** Throws `ExploreError` for more than may be read. `grant`: whose projects are looked at; `projectId`: whose pages or servers. */
export async function pageCoverage(
  deps: Pick<QueryDeps, 'records' | 'telemetry' | 'clock'>,
  grant: Grant<'event:read', 'org'>,
  { projectId, ...filter }: PerformanceFilter & { readonly projectId: number },
): Promise<PageCoverage> {
  const [rows, projects] = await Promise.all([
    pageViewRows(deps, grant, filter),
    deps.records.selectFrom('project').select(['id', 'slug']).where(inProjects(grant)).execute(),
  ])
  if (rows === undefined) return { kind: 'nothing' }
  const slugs = new Map(projects.map(({ id, slug }) => [id, slug]))
  return coverageOf(rows, projectId, (id) => slugs.get(id) ?? String(id))
}

/** Pure. Of a project with pages their views, whoever served them; of one without them those that it served. */
function coverageOf(
  { views: all, loads, told, programs, oneIn }: PageViewRows,
  projectId: number,
  slugOf: (projectId: number) => string,
): PageCoverage {
  const own = loads.filter((load) => load.projectId === projectId)
  const isPage = own.length > 0
  const views = isPage ? all : all.filter((view) => view.projectId === projectId)
  if (!isPage && views.length === 0) return { kind: 'nothing' }
  if (views.length === 0) return { kind: 'no_server', loads: own.length * oneIn }
  const rateOf = new Map((isPage ? own : loads).map(({ trace, sampleRate }) => [trace, sampleRate]))
  const byRoute = groupsOf(views)
  const isTagged = (list: readonly PageView[]): boolean => followed(list, rateOf) >= MIN_FOLLOWED
  const counted = [...byRoute.values()].filter(isTagged).flat()
  const serversOf = (list: readonly PageView[]) =>
    [...new Set(list.map((view) => slugOf(view.projectId)))].toSorted()
  if (counted.length === 0) {
    // What pages of another project follow is of another site.
    const others = new Set(loads.map(({ trace }) => trace))
    const left = [...byRoute.values()].filter((list) => followed(list, others) < MIN_FOLLOWED).flat()
    return left.length === 0
      ? { kind: 'no_server', loads: own.length * oneIn }
      : { kind: 'no_tags', views: Math.round(weightOf(left) * oneIn), servers: serversOf(left) }
  }
  const serving = new Set(counted.map((view) => view.projectId))
  const untagged = [...byRoute.values()].filter(
    (list) => !isTagged(list) && list[0]?.isDocument === 1 && serving.has(list[0].projectId),
  )
  const servers = serversOf(counted)
  const shareOf = (list: readonly PageView[]): CoverageShare => shared(list, told, rateOf, oneIn)
  const routeOf = new Map([...byRoute].flatMap(([key, list]) => list.map((view) => [view, key] as const)))
  const nameOfRoute = (view: PageView): string => {
    const [server, route] = JSON.parse(routeOf.get(view) ?? '[0,""]') as readonly [number, string]
    return servers.length > 1 ? `${slugOf(server)}: ${route}` : route
  }
  const rowsBy = (nameOf: (view: PageView) => string): CoverageRow[] =>
    [...Map.groupBy(counted, nameOf)]
      .map(([name, list]) => ({ name, ...shareOf(list) }))
      .toSorted((a, b) => b.views - a.views || a.name.localeCompare(b.name))
      .slice(0, MAX_LISTED)
  return {
    kind: 'known',
    total: shareOf(counted),
    browsers: rowsBy(({ browser }) => browser),
    countries: counted.some(({ country }) => country !== '') ? rowsBy(({ country }) => country) : [],
    routes: rowsBy(nameOfRoute),
    servers,
    untagged: untagged
      .map((list) => ({ name: nameOfRoute(list[0]!), views: Math.round(weightOf(list) * oneIn) }))
      .toSorted((a, b) => b.views - a.views || a.name.localeCompare(b.name))
      .slice(0, MAX_UNTAGGED),
    programs: [...serving].reduce((sum, id) => sum + (programs.get(id) ?? 0), 0),
    kept: keptOf(counted, rateOf),
    oneIn,
  }
}

const followed = (views: readonly PageView[], by: { has(trace: string): boolean }): number =>
  views.filter(({ trace }) => by.has(trace)).length

/**
 * By server and route. Where a server names no routes, by the first part of the address, as long as it has that many views:
 * HTML that names its trace and HTML that does not come from different parts of a site.
 */
function groupsOf(views: readonly PageView[]): Map<string, readonly PageView[]> {
  const keyOf = ({ projectId, route, isAddress }: PageView): string =>
    JSON.stringify([projectId, isAddress === 1 ? partOf(route) : route])
  const groups = new Map<string, PageView[]>()
  for (const [key, list] of Map.groupBy(views, keyOf)) {
    const [first] = list
    const isSmall = first?.isAddress === 1 && list.length < MIN_OF_PART
    const known = isSmall ? JSON.stringify([first.projectId, OTHER_PARTS]) : key
    groups.set(known, [...(groups.get(known) ?? []), ...list])
  }
  return groups
}

const MIN_OF_PART = 20
const OTHER_PARTS = 'other pages without a route name'
/** `GET /c/brewing?x=1` → `/c/…` */
function partOf(address: string): string {
  const path = address.slice(address.indexOf('/') + 1).split(/[?#]/, 1)[0] ?? ''
  const [first = '', ...more] = path.slice(0, 200).split('/')
  return more.length === 0 ? `/${first}` : `/${first}/…`
}

const weightOf = (views: readonly PageView[]): number =>
  views.reduce((sum, { sampleRate }) => sum + 1 / sampleRate, 0)

/**
 * The share of views that no page told of. Servers that keep different shares of their traces weigh accordingly, and the
 * interval is that of as many equal samples (Kish: https://doi.org/10.1002/bimj.19680100122). A page that decides by itself
 * to keep fewer traces than the server stands for those it did not keep, too.
 */
function shared(
  views: readonly PageView[],
  told: ReadonlySet<string>,
  rateOf: ReadonlyMap<string, number>,
  oneIn: number,
): CoverageShare {
  let weight = 0
  let squares = 0
  let seen = 0
  let seenByLoads = 0
  for (const { trace, sampleRate } of views) {
    const each = 1 / sampleRate
    weight += each
    squares += each * each
    if (told.has(trace)) seen += each
    seenByLoads += standsFor(sampleRate, rateOf.get(trace))
  }
  const unseen = 1 - Math.min(1, Math.max(seen, seenByLoads) / weight)
  const samples = ((weight * weight) / squares) * keptOf(views, rateOf)
  return { views: Math.round(weight * oneIn), unseen: rateEstimate(unseen, samples) }
}

/** How many views a page load stands for. A page keeps no trace that its server did not keep. */
const standsFor = (serverRate: number, pageRate: number | undefined): number =>
  pageRate === undefined ? 0 : 1 / Math.min(serverRate, pageRate)

function keptOf(views: readonly PageView[], rateOf: ReadonlyMap<string, number>): number {
  let kept = 0
  let all = 0
  for (const { trace, sampleRate } of views) {
    const rate = rateOf.get(trace)
    if (rate === undefined) continue
    kept += 1 / sampleRate
    all += standsFor(sampleRate, rate)
  }
  return all === 0 ? 1 : kept / all
}
