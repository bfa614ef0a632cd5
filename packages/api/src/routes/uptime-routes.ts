/** Uptime monitors in our own words: Sentry's documentation has no stable form of them. Read alone. */
import { type UptimeMonitorRow, uptimeMonitors } from '@sonde/queries'
import { type Api, type ApiOptions, orgGrant } from '../api-context.ts'
import { setPage } from '../request-params.ts'
import { isoDate } from '../serializers/date.ts'
import { idParam } from './alert-directory.ts'

const LIST = '/organizations/:org/uptime'

export function uptimeRoutes(api: Api, { queries, publicUrl }: ApiOptions): void {
  api.get(LIST, async (c) => {
    const rows = await uptimeMonitors(queries, await orgGrant(c, 'alert:read'))
    return c.json(setPage(c, publicUrl, rows).map((row) => monitorJson(row)))
  })

  api.get(`${LIST}/:monitor`, async (c) => {
    const id = idParam(c, 'monitor')
    const [row] = await uptimeMonitors(queries, await orgGrant(c, 'alert:read'), { id })
    return row ? c.json({ ...monitorJson(row), config: JSON.parse(row.value) as unknown }) : c.notFound()
  })
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
  certificateExpires: row.certificateUntilMs === undefined ? null : isoDate(row.certificateUntilMs),
  availability: row.availability,
})
