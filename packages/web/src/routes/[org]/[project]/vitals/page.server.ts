/** The screen of web vitals: the overview and the routes, and the details of a selected vital. */
import { type Grant, mayAlso } from '@sonde/access'
import {
  type PerformanceFilter,
  projectKeys,
  type QueryDeps,
  routeVitals,
  type RouteVitals,
  vitalBreakdown,
  type VitalCauses,
  vitalCauses,
  vitalChanges,
  vitalHistogram,
  vitalOverview,
  type VitalOverviewRow,
  vitalParts,
  type VitalSample,
  vitalSamples,
  vitalTrend,
} from '@sonde/queries'
import { MIN_RATED_VISITS } from '@sonde/queries/contract'
import type { LoadArgs } from '@sonde/router/server'
import { projectGrant } from '../../../../parts/access/page-grant.server.ts'
import { readEventFilter } from '../../../../parts/event-filter/event-filter.ts'
import {
  filterChoices,
  isFiltered,
  performanceFilterOf,
} from '../../../../parts/filter-bar/filter-of.server.ts'
import { scriptText } from '../../../../parts/scripts/script-text.ts'
import type { AppContext } from '../../../../server/app-context.server.ts'
import { loadReasons } from './load-reasons.server.ts'
import { readVitalChoice, type VitalChoice, type VitalSort } from './vital-choice.ts'
import { histogramBars, trendPoints, vitalTrendSeries } from './vital-series.ts'

const ROUTES = 200
const HOUR_MS = 3_600_000

export async function load(args: LoadArgs<AppContext, 'org' | 'project'>) {
  const { queries, clock } = args.context
  const grant = await projectGrant(args, 'event:read')
  const { searchParams: params } = args.url
  const nowMs = clock.nowMs()
  const filter = performanceFilterOf(params, nowMs)
  const choice = readVitalChoice(params)
  const { period, range } = readEventFilter(params)
  const isTimed = period !== '' || range !== undefined
  const ofRoute = { ...filter, route: choice.route }
  const [overview, changes, routes, choices] = await Promise.all([
    vitalOverview(queries, grant, ofRoute),
    // Without a time range the period is everything stored: there is no period before it.
    isTimed ? vitalChanges(queries, grant, ofRoute) : [],
    choice.route === undefined ? routeVitals(queries, grant, { ...filter, limit: ROUTES }) : [],
    filterChoices(queries, grant, { params, nowMs, source: 'vitals' }),
  ])
  const chosen = chosenOf(choice, overview)
  const [keys, reasons, detail] = await Promise.all([
    overview.length === 0 ? projectKeys(queries, grant) : [],
    loadReasons(queries, grant, filter, { vital: chosen?.name ?? choice.vital, route: choice.route }, routes),
    chosen && loadDetail(queries, grant, { choice, chosen, filter, isTimed, nowMs }),
  ])
  return {
    choice,
    reasons,
    overview,
    changes,
    routes: sortedRoutes(routes, choice.sort),
    isCut: routes.length === ROUTES,
    choices,
    detail,
    dsn: keys.find((key) => key.isActive)?.dsn,
    mayAlert: mayAlso(grant, 'alert:write'),
    isNarrowed: isFiltered(params) || choice.route !== undefined,
  }
}

/** The vital with details: the selected one, or the first with data when only a route is selected. */
function chosenOf(
  { vital, route }: VitalChoice,
  overview: readonly VitalOverviewRow[],
): VitalOverviewRow | undefined {
  if (vital !== undefined) return overview.find(({ name }) => name === vital)
  return route === undefined ? undefined : overview[0]
}

type DetailInput = {
  readonly choice: VitalChoice
  readonly chosen: VitalOverviewRow
  readonly filter: PerformanceFilter
  readonly isTimed: boolean
  readonly nowMs: number
}

async function loadDetail(queries: QueryDeps, grant: Grant<'event:read', 'project'>, request: DetailInput) {
  const { choice, chosen, filter, isTimed, nowMs } = request
  const { name } = chosen
  const input = { ...filter, name, route: choice.route, visits: chosen.samples }
  // Without a time range the chart starts with the first page view.
  const fromMs = isTimed ? filter.fromMs : Math.max(0, Math.min(chosen.firstMs, nowMs - HOUR_MS))
  const [trend, histogram, parts, causes, breakdown, samples] = await Promise.all([
    vitalTrend(queries, grant, { ...input, fromMs, buckets: trendPoints(chosen.samples) }),
    vitalHistogram(queries, grant, input),
    vitalParts(queries, grant, input),
    vitalCauses(queries, grant, input),
    vitalBreakdown(queries, grant, input),
    vitalSamples(queries, grant, { ...input, set: choice.samples }),
  ])
  return {
    chosen,
    trend: vitalTrendSeries(name, trend, choice.trend),
    histogram: histogramBars(name, histogram),
    parts,
    causes: shownCauses(causes),
    breakdown,
    samples: samples.map(shownSample),
  }
}

/** Scripts are sent as text. */
function shownCauses({ elements, sources }: VitalCauses) {
  return {
    elements,
    sources: sources.map(({ source, functionName, invoker, place, unreadable, ...figures }) => ({
      ...figures,
      script: scriptText({ source, functionName, invoker, place, unreadable }),
    })),
  }
}
export type CausesShown = ReturnType<typeof shownCauses>

function shownSample(stored: VitalSample) {
  const { source, functionName, place, unreadable, numbers: _numbers, ...sample } = stored
  const hasScript = functionName !== '' || place !== undefined || unreadable !== undefined
  return {
    ...sample,
    script: hasScript ? scriptText({ source, functionName, place, unreadable }) : undefined,
  }
}
export type SampleShown = ReturnType<typeof shownSample>

/** The slowest first, then routes with too little data for a rating, then routes with none. */
function sortedRoutes(rows: readonly RouteVitals[], sort: VitalSort): readonly RouteVitals[] {
  if (sort === 'count') return rows
  const rank = ({ [sort]: vital }: RouteVitals): number =>
    vital === undefined ? 2 : vital.samples < MIN_RATED_VISITS ? 1 : 0
  return rows.toSorted((a, b) => rank(a) - rank(b) || (b[sort]?.p75 ?? 0) - (a[sort]?.p75 ?? 0))
}
