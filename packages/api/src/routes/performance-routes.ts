/**
 * Traces, web vitals and navigations. The trace has the shape of Sentry's events-trace endpoint; vitals and navigations
 * are ours (docs/reporter.md says what a navigation is).
 */
import { navigationPart, routeNavigations, routeVitals, traceById } from '@sonde/queries'
import { type Api, type ApiContext, type ApiOptions, pathParam } from '../api-context.ts'
import { performanceParams } from '../performance-params.ts'
import { limitParam } from '../request-params.ts'
import { setSinglePage } from '../link-header.ts'
import { navigationJson, vitalsJson } from '../serializers/performance.ts'
import { traceJson } from '../serializers/trace.ts'

export function performanceRoutes(api: Api, { access, queries, publicUrl }: ApiOptions): void {
  const openProject = (c: ApiContext) =>
    access.openProject(c.get('viewer'), pathParam(c, 'org'), pathParam(c, 'project'), 'event:read')

  // Every span of it in all projects of the organisation; 404 when there is none.
  for (const path of ['trace', 'events-trace']) {
    api.get(`/organizations/:org/${path}/:trace`, async (c) => {
      const scope = await access.openOrg(c.get('viewer'), pathParam(c, 'org'), 'event:read')
      const trace = await traceById(queries, scope, pathParam(c, 'trace'))
      return trace ? c.json(traceJson(trace)) : c.notFound()
    })
  }

  api.get('/projects/:org/:project/vitals', async (c) => {
    const input = { ...performanceParams(c, queries.clock), ...limitOf(c) }
    const rows = await routeVitals(queries, await openProject(c), input)
    setSinglePage(c, publicUrl)
    return c.json(rows.map((row) => vitalsJson(row)))
  })

  api.get('/projects/:org/:project/navigations', async (c) => {
    const [from, to] = [c.req.query('from'), c.req.query('to')]
    const scope = await openProject(c)
    const input = { ...performanceParams(c, queries.clock), ...limitOf(c), from, to }
    const part = await navigationPart(queries, scope, input)
    const rows = await routeNavigations(queries, scope, { ...input, part })
    setSinglePage(c, publicUrl)
    return c.json(rows.map((row) => navigationJson(row)))
  })
}

const limitOf = (c: ApiContext): { limit?: number } => {
  const limit = limitParam(c)
  return limit === undefined ? {} : { limit }
}
