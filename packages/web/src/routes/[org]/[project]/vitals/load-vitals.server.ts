/** The screen of web vitals: all of them and the routes; of a chosen one all that explains it. */
import type { Grant } from '@sonde/access'
import {
  type PerformanceFilter,
  projectKeys,
  type QueryDeps,
  routeVitals,
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
import type { LoadArgs } from '@sonde/router/server'
import { readEventFilter } from '../../../../parts/event-filter/event-filter.ts'
import {
  filterChoices,
  isFiltered,
  performanceFilterOf,
} from '../../../../parts/filter-bar/filter-of.server.ts'
import type { AppContext } from '../../../../server/app-context.server.ts'
import { scriptText } from '../../../../parts/scripts/script-text.ts'
import { projectGrant } from '../../../../parts/access/page-grant.server.ts'
import { histogramBars } from './histogram-bars.ts'
import { sortedRoutes } from './sorted-routes.ts'
import { readVitalChoice, type VitalChoice } from './vital-choice.ts'
import { trendPoints, vitalTrendSeries } from './vital-trend-series.ts'

const ROUTES = 200
const HOUR_MS = 3_600_000

export async function loadVitals(args: LoadArgs<AppContext, 'org' | 'project'>) {
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
    // Before all that is kept there is nothing.
    isTimed ? vitalChanges(queries, grant, ofRoute) : [],
    choice.route === undefined ? routeVitals(queries, grant, { ...filter, limit: ROUTES }) : [],
    filterChoices(queries, grant, { params, nowMs, source: 'vitals' }),
  ])
  const chosen = chosenOf(choice, overview)
  const keys = overview.length === 0 ? await projectKeys(queries, grant) : []
  return {
    choice,
    overview,
    changes,
    routes: sortedRoutes(routes, choice.sort),
    isCut: routes.length === ROUTES,
    choices,
    detail: chosen && (await loadDetail(queries, grant, { choice, chosen, filter, isTimed, nowMs })),
    dsn: keys.find((key) => key.isActive)?.dsn,
    isNarrowed: isFiltered(params) || choice.route !== undefined,
  }
}

/** Of a route alone the first that anyone told is explained. */
function chosenOf(
  { vital, route }: VitalChoice,
  overview: readonly VitalOverviewRow[],
): VitalOverviewRow | undefined {
  if (vital !== undefined) return overview.find(({ name }) => name === vital)
  return route === undefined ? undefined : overview[0]
}

type Asked = {
  readonly choice: VitalChoice
  readonly chosen: VitalOverviewRow
  readonly filter: PerformanceFilter
  readonly isTimed: boolean
  readonly nowMs: number
}

async function loadDetail(queries: QueryDeps, grant: Grant<'event:read', 'project'>, asked: Asked) {
  const { choice, chosen, filter, isTimed, nowMs } = asked
  const { name } = chosen
  const input = { ...filter, name, route: choice.route, visits: chosen.samples }
  // Of all time the chart begins with the first visit.
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

/** Of scripts the words alone. */
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

function shownSample(told: VitalSample) {
  const { source, functionName, place, unreadable, numbers: _numbers, ...sample } = told
  const isTold = functionName !== '' || place !== undefined || unreadable !== undefined
  return { ...sample, script: isTold ? scriptText({ source, functionName, place, unreadable }) : undefined }
}
export type SampleShown = ReturnType<typeof shownSample>
