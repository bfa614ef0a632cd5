/**
 * Traces, web vitals and navigations. The trace has the shape of Sentry's events-trace endpoint; vitals and navigations
 * are ours (docs/reporter.md says what a navigation is).
 */
import {
  navigationPart,
  routeNavigations,
  type RoutePair,
  routeVitals,
  type RouteVitals,
  traceById,
  VITAL_NAMES,
} from '@sonde/queries'
import {
  type Api,
  type ApiContext,
  type ApiOptions,
  orgGrant,
  pathParam,
  projectGrant,
} from '../api-context.ts'
import { limitParam, performanceParams } from '../request-params.ts'
import { setSinglePage } from '../paging.ts'
import { traceJson } from '../serializers/trace.ts'

/**
 * `{route, count, samples, lcp: {p75, good, needsImprovement, poor, …}, …}`; counts are visits, counted up from
 * `samples`; a vital nobody told is absent.
 */
function vitalsJson({ route, count, samples, ...vitals }: RouteVitals) {
  const told = VITAL_NAMES.flatMap((name) => {
    const summary = vitals[name]
    return summary === undefined ? [] : [[name, { ...summary, p75: rounded(summary.p75) }]]
  })
  return {
    route,
    count,
    samples,
    ...(Object.fromEntries(told) as Omit<RouteVitals, 'route' | 'count' | 'samples'>),
  }
}

/** Percentiles are null when no navigation of the pair was shown. */
function navigationJson({ p50, p75, p95, ...pair }: RoutePair) {
  const each = (phases: Readonly<Record<string, number>>) =>
    Object.fromEntries(Object.entries(phases).map(([phase, ms]) => [phase, rounded(ms)]))
  const [phases, meanPhases] = [each(pair.phases), each(pair.meanPhases)]
  return { ...pair, p50: ms(p50), p75: ms(p75), p95: ms(p95), phases, meanPhases }
}

// CLS has three digits that matter, milliseconds one.
const rounded = (value: number): number => Math.round(value * 1000) / 1000
const ms = (value: number | undefined): number | null => (value === undefined ? null : rounded(value))

export function performanceRoutes(api: Api, { queries, publicUrl }: ApiOptions): void {
  // Every span of it in all projects of the organisation; 404 when there is none.
  for (const path of ['trace', 'events-trace']) {
    api.get(`/organizations/:org/${path}/:trace`, async (c) => {
      const grant = await orgGrant(c, 'event:read')
      const trace = await traceById(queries, grant, pathParam(c, 'trace'))
      return trace ? c.json(traceJson(trace)) : c.notFound()
    })
  }

  api.get('/projects/:org/:project/vitals', async (c) => {
    const input = { ...performanceParams(c, queries.clock), ...limitOf(c) }
    const rows = await routeVitals(queries, await projectGrant(c, 'event:read'), input)
    setSinglePage(c, publicUrl)
    return c.json(rows.map((row) => vitalsJson(row)))
  })

  api.get('/projects/:org/:project/navigations', async (c) => {
    const [from, to] = [c.req.query('from'), c.req.query('to')]
    const grant = await projectGrant(c, 'event:read')
    const input = { ...performanceParams(c, queries.clock), ...limitOf(c), from, to }
    const part = await navigationPart(queries, grant, input)
    const rows = await routeNavigations(queries, grant, { ...input, part })
    setSinglePage(c, publicUrl)
    return c.json(rows.map((row) => navigationJson(row)))
  })
}

const limitOf = (c: ApiContext): { limit?: number } => {
  const limit = limitParam(c)
  return limit === undefined ? {} : { limit }
}
