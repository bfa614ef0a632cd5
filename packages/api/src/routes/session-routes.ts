/** Release health: https://docs.sentry.io/api/releases/retrieve-release-health-session-statistics/ */
import { SondeError } from '@sonde/base'
import { parsePeriodMs, sessionStatistics } from '@sonde/queries'
import { z } from 'zod'
import type { ApiOptions } from '../api-context.ts'
import type { Api } from '../described-routes.ts'
import { environments, projectIds, text, texts, WINDOW, windowOf } from '../query-schemas.ts'
import { isoDate, Time } from '../serializers/date.ts'

const Sessions = z
  .object({
    start: Time,
    end: Time,
    query: z.string(),
    intervals: z.array(Time),
    groups: z.array(
      z.object({
        by: z
          .record(z.string(), z.union([z.string(), z.number()]))
          .meta({ description: 'Names of `groupBy` with the values of the group.' }),
        totals: z
          .record(z.string(), z.number().nullable())
          .optional()
          .meta({ description: 'By `field`; null: nothing to compute it of.' }),
        series: z
          .record(z.string(), z.array(z.number().nullable()))
          .optional()
          .meta({ description: 'By `field`, a value for each of `intervals`.' }),
      }),
    ),
  })
  .meta({ id: 'Sessions' })

export function sessionRoutes(api: Api, { queries }: ApiOptions): void {
  api.get(
    '/organizations/:org/sessions',
    {
      id: 'getSessions',
      summary: 'Count sessions and users: release health',
      tag: 'Releases',
      permission: 'event:read',
      query: z.object({
        ...WINDOW,
        field: texts('`sum(session)`, `count_unique(user)`, `crash_free_rate(session)`, …'),
        groupBy: texts('`project`, `release`, `environment`, `session.status`.'),
        interval: text('The step, for example `1h` or `1d`.'),
        environment: environments,
        project: projectIds,
        query: text('A search by release and environment.'),
        includeTotals: text('`0`: without them.'),
        includeSeries: text('`0`: without them.'),
      }),
      answer: Sessions,
    },
    async ({ grant, query: asked }) => {
      const { query = '', field: fields = [], groupBy = [], environment = [] } = asked
      const found = await sessionStatistics(queries, grant, {
        ...windowOf(asked, queries.clock),
        intervalMs: intervalOf(asked.interval),
        fields,
        groupBy,
        environment: environment.filter((name) => name !== ''),
        projectIds: asked.project,
        query,
      })
      return {
        start: isoDate(found.fromMs),
        end: isoDate(found.toMs),
        query,
        intervals: found.startsMs.map(isoDate),
        groups: found.groups.map(({ by, totals, series }) => ({
          by,
          ...(asked.includeTotals !== '0' && { totals }),
          ...(asked.includeSeries !== '0' && { series }),
        })),
      }
    },
  )
}

function intervalOf(asked: string | undefined): number | undefined {
  if (asked === undefined || asked === '') return undefined
  const ms = parsePeriodMs(asked)
  if (ms === undefined || ms === 0)
    throw new SondeError('invalid', 'interval is for example 1h or 1d', {
      operation: 'count sessions',
      subject: 'interval',
    })
  return ms
}
