/**
 * Traces, web vitals and navigations. The trace has the shape of Sentry's events-trace endpoint; vitals and navigations
 * are ours (docs/reporter.md says what a navigation is).
 */
import { performanceParams } from '../performance-params.ts'
import { navigationPart, routeNavigations, routeVitals, traceById } from '@sonde/queries'
import {
  type Api,
  type ApiContext,
  type ApiOptions,
  orgGrant,
  pathParam,
  projectGrant,
} from '../api-context.ts'
import { limitParam } from '../request-params.ts'
import { setSinglePage } from '../link-header.ts'
import { navigationJson, vitalsJson } from '../serializers/performance.ts'
import { traceJson } from '../serializers/trace.ts'

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
