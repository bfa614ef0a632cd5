/** Uptime monitors of projects with their state and availability: records alone. */
import type { AnyGrant, Grant } from '@sonde/access'
import type { Records, UptimeStateWord } from '@sonde/stores'
import { projectIdsOf, type QueryDeps } from '../query-deps.ts'
import { type Availability, availabilityOf, DAY_MS, dayTimes, type Hour } from './availability.ts'

type Deps = Pick<QueryDeps, 'records' | 'clock'>
type ReadGrant = Grant<'alert:read', 'org' | 'project'> & AnyGrant

export type UptimeMonitorRow = {
  readonly id: number
  readonly name: string
  readonly project: { readonly id: number; readonly slug: string }
  readonly environment: string
  readonly intervalSec: number
  readonly isPaused: boolean
  readonly state: UptimeStateWord
  readonly sinceMs: number
  /** Undefined: never. */
  readonly checkedMs: number | undefined
  /** Of the last check; empty: there was none. */
  readonly outcome: string
  readonly reason: string
  readonly status: number
  readonly totalMs: number
  readonly certificateUntilMs: number | undefined
  readonly incidentId: number | undefined
  /** JSON: the monitor, without secrets. */
  readonly value: string
  readonly availability: {
    readonly day: Availability
    readonly week: Availability
    readonly month: Availability
  }
  /** Mean time of each of the last 24 hours. */
  readonly times: readonly (number | null)[]
}

/** By name; at most 200 of a project, and 1,000 of an organization. */
export async function uptimeMonitors(
  deps: Deps,
  grant: ReadGrant,
  input: { readonly id?: number | undefined } = {},
): Promise<readonly UptimeMonitorRow[]> {
  const projectIds = await projectIdsOf(deps, grant)
  if (projectIds.length === 0) return []
  const rows = await deps.records
    .selectFrom('uptime_monitor')
    .innerJoin('uptime_state', 'uptime_state.monitor_id', 'uptime_monitor.id')
    .innerJoin('project', 'project.id', 'uptime_monitor.project_id')
    .selectAll('uptime_state')
    .select(['uptime_monitor.id', 'uptime_monitor.name', 'uptime_monitor.environment'])
    .select([
      'uptime_monitor.interval_sec',
      'uptime_monitor.value',
      'project.slug',
      'project.id as project_id',
    ])
    .where('uptime_monitor.project_id', 'in', projectIds)
    .$if(input.id !== undefined, (query) => query.where('uptime_monitor.id', '=', input.id ?? 0))
    .orderBy('uptime_monitor.name')
    .orderBy('uptime_monitor.id')
    .limit(1_000)
    .execute()
  const nowMs = deps.clock.nowMs()
  const hours = await hoursOf(
    deps.records,
    rows.map(({ id }) => id),
    nowMs - 30 * DAY_MS,
  )
  return rows.map((row) => {
    const own = hours.get(row.id) ?? []
    return {
      id: row.id,
      name: row.name,
      project: { id: row.project_id, slug: row.slug },
      environment: row.environment,
      intervalSec: row.interval_sec,
      isPaused: row.due_ms === null,
      state: row.state,
      sinceMs: row.since_ms,
      checkedMs: row.checked_ms ?? undefined,
      outcome: row.outcome,
      reason: row.reason,
      status: row.status,
      totalMs: row.total_ms,
      certificateUntilMs: row.certificate_ms ?? undefined,
      incidentId: row.incident_id ?? undefined,
      value: row.value,
      availability: {
        day: availabilityOf(own, nowMs - DAY_MS),
        week: availabilityOf(own, nowMs - 7 * DAY_MS),
        month: availabilityOf(own, nowMs - 30 * DAY_MS),
      },
      times: dayTimes(own, nowMs),
    }
  })
}

/** By monitor, in the order of time. */
async function hoursOf(
  records: Records,
  monitorIds: readonly number[],
  fromMs: number,
): Promise<ReadonlyMap<number, readonly Hour[]>> {
  if (monitorIds.length === 0) return new Map()
  const rows = await records
    .selectFrom('uptime_hour')
    .selectAll()
    .where('monitor_id', 'in', monitorIds)
    .where('hour_ms', '>=', fromMs)
    .orderBy('monitor_id')
    .orderBy('hour_ms')
    .execute()
  const byMonitor = Map.groupBy(rows, ({ monitor_id }) => monitor_id)
  return new Map(
    [...byMonitor].map(([id, own]) => [
      id,
      own.map(({ hour_ms: hourMs, checks, failed, up_ms: upMs }) => ({ hourMs, checks, failed, upMs })),
    ]),
  )
}

export type UptimeIncident = {
  readonly id: number
  readonly startedMs: number
  readonly resolvedMs: number | undefined
  /** What was wrong when it began. */
  readonly reason: string
}

const MAX_INCIDENTS = 50

/** The newest first, at most 50. The monitor comes from `uptimeMonitors` within the grant. */
export async function uptimeIncidents(
  { records }: Pick<QueryDeps, 'records'>,
  { projectId }: Grant<'alert:read', 'project'>,
  monitorId: number,
): Promise<readonly UptimeIncident[]> {
  const rows = await records
    .selectFrom('incident')
    .select(['id', 'started_ms', 'resolved_ms', 'cause'])
    .where('project_id', '=', projectId)
    // One range of the index of keys: `uptime:7:…`.
    .where('dedup_key', '>=', `uptime:${monitorId}:`)
    .where('dedup_key', '<', `uptime:${monitorId};`)
    .orderBy('incident.id', 'desc')
    .limit(MAX_INCIDENTS)
    .execute()
  return rows.map(({ id, started_ms: startedMs, resolved_ms, cause }) => ({
    id,
    startedMs,
    resolvedMs: resolved_ms ?? undefined,
    reason: (JSON.parse(cause) as { reason?: string }).reason ?? '',
  }))
}
