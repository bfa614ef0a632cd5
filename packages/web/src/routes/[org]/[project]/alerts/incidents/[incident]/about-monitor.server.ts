/** The monitor of a scheduled job or of an address that an incident is of: its cause names it. */
import type { Grant } from '@sonde/access'
import { cronMonitors, type QueryDeps, uptimeMonitors } from '@sonde/queries'

type Cause = Readonly<Record<string, unknown>>

export type AboutMonitor = {
  readonly kind: 'monitor'
  readonly of: 'cron' | 'uptime'
  /** Undefined: it was deleted. */
  readonly monitorId: number | undefined
  /** What was wrong when it began. */
  readonly reason: string
}

/** Undefined: the cause is another one. */
export async function aboutMonitor(
  queries: QueryDeps,
  grant: Grant<'alert:read', 'project'>,
  { kind, monitor, monitorId, reason }: Cause,
): Promise<AboutMonitor | undefined> {
  const said = { kind: 'monitor' as const, reason: typeof reason === 'string' ? reason : '' }
  if (kind === 'cron' && typeof monitor === 'string') {
    const [found] = await cronMonitors(queries, grant, { slug: monitor })
    return { ...said, of: 'cron', monitorId: found?.id }
  }
  if (kind === 'uptime' && typeof monitorId === 'number') {
    const [found] = await uptimeMonitors(queries, grant, { id: monitorId })
    return { ...said, of: 'uptime', monitorId: found?.id }
  }
  return undefined
}
