/** Uptime monitors in our own words: Sentry's documentation has no stable form of them. Read alone. */
import { UPTIME_MONITOR } from '@sonde/alerts'
import { type UptimeMonitorRow, uptimeMonitors } from '@sonde/queries'
import { z } from 'zod'
import type { ApiOptions } from '../api-context.ts'
import type { Api } from '../described-routes.ts'
import type { DeepReadonly } from '../operation.ts'
import { setPage } from '../pages.ts'
import { isoDate, isoDateOrNull, Time } from '../serializers/date.ts'
import { idOf } from './alert-directory.ts'

const LIST = '/organizations/:org/uptime'

const Availability = z
  .object({
    share: z.number().nullable().meta({ description: 'From 0 to 1; null: there was no check.' }),
    interval: z
      .object({ low: z.number(), high: z.number() })
      .optional()
      .meta({ description: 'Where the true share lies (95 %). Absent: too few checks to tell.' }),
    checks: z.int(),
  })
  .meta({ id: 'UptimeAvailability' })

const Monitor = z
  .object({
    id: z.string(),
    name: z.string(),
    projectSlug: z.string(),
    environment: z.string().nullable(),
    url: z.string(),
    intervalSeconds: z.int(),
    status: z
      .enum(['paused', 'new', 'up', 'down'])
      .meta({ description: 'New: not checked often enough to tell.' }),
    statusSince: Time,
    lastCheck: z
      .object({
        dateCreated: Time,
        outcome: z.string().meta({ description: '`up`, or the first failure that was found.' }),
        reason: z.string().meta({ description: 'In words; empty where it was up.' }),
        httpStatusCode: z.int().nullable().meta({ description: 'Null: there was no answer.' }),
        durationMs: z.number(),
      })
      .nullable(),
    certificateExpires: Time.nullable(),
    availability: z
      .object({ day: Availability, week: Availability, month: Availability })
      .meta({ description: 'Of the last 1, 7 and 30 days.' }),
  })
  .meta({ id: 'UptimeMonitor' })

const MonitorWithConfig = Monitor.extend({
  config: UPTIME_MONITOR.meta({
    id: 'UptimeConfig',
    description: 'What is asked, what is right, and whom it tells. Values of secret headers are empty.',
  }),
}).meta({ id: 'UptimeMonitorWithConfig' })

const reads = { tag: 'Monitors', permission: 'alert:read' } as const

export function uptimeRoutes(api: Api, { queries, publicUrl }: ApiOptions): void {
  api.get(
    LIST,
    {
      ...reads,
      id: 'listUptimeMonitors',
      summary: 'List monitors of addresses',
      pages: true,
      answer: z.array(Monitor),
    },
    async ({ c, grant }) => setPage(c, publicUrl, await uptimeMonitors(queries, grant)).map(monitorJson),
  )

  api.get(
    `${LIST}/:monitor`,
    {
      ...reads,
      id: 'getUptimeMonitor',
      summary: 'Read a monitor of an address',
      answer: MonitorWithConfig,
    },
    async ({ grant, params }) => {
      const [row] = await uptimeMonitors(queries, grant, { id: idOf(params.monitor) })
      return row && { ...monitorJson(row), config: UPTIME_MONITOR.parse(JSON.parse(row.value)) }
    },
  )
}

const monitorJson = (row: UptimeMonitorRow): DeepReadonly<z.infer<typeof Monitor>> => ({
  id: String(row.id),
  name: row.name,
  projectSlug: row.project.slug,
  environment: row.environment === '' ? null : row.environment,
  url: (JSON.parse(row.value) as { url?: string }).url ?? '',
  intervalSeconds: row.intervalSec,
  status: row.isPaused ? 'paused' : row.state,
  statusSince: isoDate(row.sinceMs),
  lastCheck:
    row.checkedMs === undefined
      ? null
      : {
          dateCreated: isoDate(row.checkedMs),
          outcome: row.outcome,
          reason: row.reason,
          httpStatusCode: row.status === 0 ? null : row.status,
          durationMs: row.totalMs,
        },
  certificateExpires: isoDateOrNull(row.certificateUntilMs),
  availability: row.availability,
})
