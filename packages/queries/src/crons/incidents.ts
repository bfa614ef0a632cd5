/** Incidents of one monitor: records alone. */
import type { Grant } from '@sonde/access'
import type { QueryDeps } from '../query-deps.ts'

export type CronIncident = {
  readonly id: number
  readonly environment: string
  readonly startedMs: number
  readonly resolvedMs: number | undefined
  /** What was wrong when it began. */
  readonly reason: string
}

const MAX_INCIDENTS = 50

/** The newest first, at most 50. The monitor comes from `cronMonitors` within the grant. */
export async function cronIncidents(
  { records }: Pick<QueryDeps, 'records'>,
  { projectId }: Grant<'alert:read', 'project'>,
  { monitorId, environments = [] }: { readonly monitorId: number; readonly environments?: readonly string[] },
): Promise<readonly CronIncident[]> {
  const rows = await records
    .selectFrom('incident')
    .select(['id', 'started_ms', 'resolved_ms', 'cause'])
    .where('project_id', '=', projectId)
    // One range of the index of keys: `cron:7:…`.
    .where('dedup_key', '>=', `cron:${monitorId}:`)
    .where('dedup_key', '<', `cron:${monitorId};`)
    .orderBy('incident.id', 'desc')
    .limit(MAX_INCIDENTS)
    .execute()
  return rows
    .map(({ id, started_ms: startedMs, resolved_ms, cause }) => {
      const { environment = '', reason = '' } = JSON.parse(cause) as Partial<CronIncident>
      return { id, environment, startedMs, resolvedMs: resolved_ms ?? undefined, reason }
    })
    .filter(({ environment }) => environments.length === 0 || environments.includes(environment))
}
