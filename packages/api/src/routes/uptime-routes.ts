/** Uptime monitors in our own words: Sentry's documentation has no stable form of them. Read alone. */
import { type UptimeMonitorRow, uptimeMonitors } from '@sonde/queries'
import { z } from 'zod'
import type { ApiOptions } from '../api-context.ts'
import type { Api } from '../described-routes.ts'
import { setPage } from '../pages.ts'
import { isoDate, isoDateOrNull, Time } from '../serializers/date.ts'
import { idOf } from './alert-directory.ts'

const LIST = '/organizations/:org/uptime'

const Monitor = z
  .object({
    id: z.string(),
    name: z.string(),
    projectSlug: z.string(),
    environment: z.string().nullable(),
    url: z.string(),
    intervalSeconds: z.int(),
    status: z.string(),
    statusSince: Time,
    lastCheck: z
      .object({
        dateCreated: Time,
        outcome: z.string().optional(),
        reason: z.string().optional(),
        httpStatusCode: z.int().nullable().optional(),
        durationMs: z.number().nullable().optional(),
      })
      .nullable(),
    certificateExpires: Time.nullable(),
    availability: z.unknown(),
  })
  .meta({ id: 'UptimeMonitor' })

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
      answer: Monitor.extend({ config: z.record(z.string(), z.unknown()) }),
    },
    async ({ grant, params }) => {
      const [row] = await uptimeMonitors(queries, grant, { id: idOf(params.monitor) })
      return row && { ...monitorJson(row), config: JSON.parse(row.value) as Record<string, unknown> }
    },
  )
}

const monitorJson = (row: UptimeMonitorRow) => ({
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
