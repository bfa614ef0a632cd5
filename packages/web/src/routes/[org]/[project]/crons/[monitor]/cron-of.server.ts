import type { Grant } from '@sonde/access'
import { type CronConfig, readCronConfig } from '@sonde/alerts'
import { type CronMonitor, cronMonitors } from '@sonde/queries'
import { notFound } from '@sonde/router/server'
import type { AppContext } from '../../../../../server/app-context.server.ts'

/** Of the project in the grant; else the not-found page. */
export async function cronOf(
  { queries }: Pick<AppContext, 'queries'>,
  grant: Grant<'alert:read', 'project'>,
  id: number,
): Promise<{ readonly monitor: CronMonitor; readonly config: CronConfig }> {
  const [monitor] = Number.isSafeInteger(id) && id > 0 ? await cronMonitors(queries, grant, { id }) : []
  if (!monitor) return notFound()
  return { monitor, config: readCronConfig(monitor.config) }
}
