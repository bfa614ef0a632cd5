/** Runs of monitors: a page of one monitor's, and the last of each environment for lists. Records alone. */
import type { AnyGrant, Grant } from '@sonde/access'
import type { CronRunStatus } from '@sonde/stores'
import { sql } from 'kysely'
import type { QueryDeps } from '../query-deps.ts'

type Deps = Pick<QueryDeps, 'records'>
type ReadGrant = Grant<'alert:read', 'org' | 'project'> & AnyGrant

export type CronRun = {
  readonly id: number
  readonly environment: string
  /** Empty: nothing came. */
  readonly checkInId: string
  readonly status: CronRunStatus
  readonly startedMs: number
  readonly endedMs: number | null
  readonly durationMs: number | null
  readonly expectedMs: number | null
  readonly release: string
  readonly traceId: string
}

/** Where a page begins: after the last run of the one before. */
export type CronRunPlace = { readonly startedMs: number; readonly id: number }

/**
 * The newest first, by `started_ms` and `id`. The monitor comes from `cronMonitors` within the grant. Without `environments`
 * those of all.
 */
export async function cronRuns(
  { records }: Deps,
  _grant: ReadGrant,
  {
    monitorId,
    limit,
    environments = [],
    before,
  }: {
    readonly monitorId: number
    readonly limit: number
    readonly environments?: readonly string[]
    readonly before?: CronRunPlace | undefined
  },
): Promise<readonly CronRun[]> {
  const rows = await records
    .selectFrom('cron_run')
    .innerJoin('cron_environment', 'cron_environment.id', 'cron_run.environment_id')
    .selectAll('cron_run')
    .select('cron_environment.environment')
    .where('cron_environment.monitor_id', '=', monitorId)
    .$if(environments.length > 0, (query) => query.where('cron_environment.environment', 'in', environments))
    .$if(before !== undefined, (query) =>
      query.where((eb) =>
        eb.or([
          eb('cron_run.started_ms', '<', before?.startedMs ?? 0),
          eb.and([
            eb('cron_run.started_ms', '=', before?.startedMs ?? 0),
            eb('cron_run.id', '<', before?.id ?? 0),
          ]),
        ]),
      ),
    )
    .orderBy('cron_run.started_ms', 'desc')
    .orderBy('cron_run.id', 'desc')
    .limit(limit)
    .execute()
  return rows.map((row) => ({
    id: row.id,
    environment: row.environment,
    checkInId: row.check_in_id,
    status: row.status,
    startedMs: row.started_ms,
    endedMs: row.ended_ms,
    durationMs: row.duration_ms,
    expectedMs: row.expected_ms,
    release: row.release,
    traceId: row.trace_id,
  }))
}

export type LastCronRun = { readonly status: CronRunStatus; readonly startedMs: number }

/** Of each environment the last `limit` runs, the oldest first: one range of `cron_run_by_environment` each. */
export async function lastCronRuns(
  { records }: Deps,
  _grant: ReadGrant,
  { environmentIds, limit }: { readonly environmentIds: readonly number[]; readonly limit: number },
): Promise<ReadonlyMap<number, readonly LastCronRun[]>> {
  if (environmentIds.length === 0) return new Map()
  const rows = await records
    .selectFrom('cron_environment')
    .innerJoin('cron_run', (join) =>
      join.on(
        sql<boolean>`cron_run.id IN (SELECT last.id FROM cron_run AS last
          WHERE last.environment_id = cron_environment.id ORDER BY last.started_ms DESC, last.id DESC LIMIT ${limit})`,
      ),
    )
    .select(['cron_run.environment_id', 'cron_run.status', 'cron_run.started_ms'])
    .where('cron_environment.id', 'in', environmentIds)
    .orderBy('cron_run.started_ms')
    .orderBy('cron_run.id')
    .execute()
  const own = Map.groupBy(rows, ({ environment_id: id }) => id)
  return new Map(
    [...own].map(([id, runs]) => [
      id,
      runs.map(({ status, started_ms: startedMs }) => ({ status, startedMs })),
    ]),
  )
}
