/** Release health: https://docs.sentry.io/api/releases/retrieve-release-health-session-statistics/ */
import { SondeError } from '@sonde/base'
import { parsePeriodMs, sessionStatistics } from '@sonde/queries'
import { type Api, type ApiContext, type ApiOptions, orgGrant } from '../api-context.ts'
import { performanceParams, projectIdsParam } from '../request-params.ts'
import { isoDate } from '../serializers/date.ts'

export function sessionRoutes(api: Api, { queries }: ApiOptions): void {
  api.get('/organizations/:org/sessions', async (c) => {
    const grant = await orgGrant(c, 'event:read')
    const { fromMs, toMs } = performanceParams(c, queries.clock)
    const query = c.req.query('query') ?? ''
    const found = await sessionStatistics(queries, grant, {
      fromMs,
      toMs,
      intervalMs: intervalParam(c),
      fields: c.req.queries('field') ?? [],
      groupBy: c.req.queries('groupBy') ?? [],
      environment: (c.req.queries('environment') ?? []).filter((name) => name !== ''),
      projectIds: projectIdsParam(c),
      query,
    })
    const withTotals = c.req.query('includeTotals') !== '0'
    const withSeries = c.req.query('includeSeries') !== '0'
    return c.json({
      start: isoDate(found.fromMs),
      end: isoDate(found.toMs),
      query,
      intervals: found.startsMs.map((atMs) => isoDate(atMs)),
      groups: found.groups.map(({ by, totals, series }) => ({
        by,
        ...(withTotals && { totals }),
        ...(withSeries && { series }),
      })),
    })
  })
}

function intervalParam(c: ApiContext): number | undefined {
  const text = c.req.query('interval')
  if (text === undefined || text === '') return undefined
  const ms = parsePeriodMs(text)
  if (ms === undefined || ms === 0)
    throw new SondeError('invalid', 'interval is for example 1h or 1d', {
      operation: 'count sessions',
      subject: 'interval',
    })
  return ms
}
