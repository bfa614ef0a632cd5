import type { Grant } from '@sonde/access'
import { UPTIME_MONITOR, type UptimeMonitor } from '@sonde/alerts'
import { uptimeMonitors, type UptimeMonitorRow } from '@sonde/queries'
import { notFound } from '@sonde/router/server'
import type { AppContext } from '../../../../../server/app-context.server.ts'

/** Of the project in the grant; else the not-found page. */
export async function monitorOf(
  { queries }: Pick<AppContext, 'queries'>,
  grant: Grant<'alert:read', 'project'>,
  id: number,
): Promise<{ readonly row: Omit<UptimeMonitorRow, 'value'>; readonly monitor: UptimeMonitor }> {
  const [found] = Number.isSafeInteger(id) && id > 0 ? await uptimeMonitors(queries, grant, { id }) : []
  if (!found) return notFound()
  const { value, ...row } = found
  return { row, monitor: UPTIME_MONITOR.parse(JSON.parse(value)) }
}
