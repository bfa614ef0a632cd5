/** The rows of a monitor's environment that the job works on, and what the end of a run changes. Within the caller's transaction. */
import type { CronRunStatus, Records } from '@sonde/stores'
import { standingAfterRun } from './cron-state.ts'
import { CRON_LIMITS } from './cron-words.ts'
import { readCronConfig } from './monitor.ts'
import type { EnvironmentRow, RunEnd } from './read-environment.ts'
import { endCronIncident, openCronIncident, type TellCronDeps } from './tell-cron.ts'

const HOUR_MS = 3_600_000
/** The public page shows 90 days. */
const KEPT_HOURS_MS = 100 * 24 * HOUR_MS

export type NewRun = {
  readonly check_in_id: string
  readonly status: CronRunStatus
  readonly started_ms: number
  readonly ended_ms: number | null
  readonly duration_ms: number | null
  readonly timeout_ms: number | null
  readonly expected_ms: number | null
  readonly release?: string
  readonly trace_id?: string
}

/** How often it looks for runs that are too many. */
const PRUNE_EVERY = 64

export async function insertRun(tx: Records, environmentId: number, run: NewRun): Promise<number> {
  const { id } = await tx
    .insertInto('cron_run')
    .values({ environment_id: environmentId, release: '', trace_id: '', ...run })
    .returning('id')
    .executeTakeFirstOrThrow()
  if (id % PRUNE_EVERY === 0) {
    const oldest = await tx
      .selectFrom('cron_run')
      .select('started_ms')
      .where('environment_id', '=', environmentId)
      .orderBy('cron_run.started_ms', 'desc')
      .offset(CRON_LIMITS.runs)
      .limit(1)
      .executeTakeFirst()
    if (oldest)
      await tx
        .deleteFrom('cron_run')
        .where('environment_id', '=', environmentId)
        .where('started_ms', '<=', oldest.started_ms)
        .execute()
  }
  return id
}

/** State, count of the hour, incident and what it tells. */
export async function noteEnd(
  tx: Records,
  deps: TellCronDeps,
  row: EnvironmentRow,
  { runId, status, atMs }: RunEnd,
  nowMs: number,
): Promise<void> {
  const { changed, ...standing } = standingAfterRun(row, status, readCronConfig(row.config), atMs)
  const told = { ...row, ...standing, failing_ms: standing.failing_ms ?? row.failing_ms }
  const incidentId =
    changed === 'failing'
      ? await openCronIncident(tx, deps, told, { runId, status, atMs }, nowMs)
      : row.incident_id
  if (changed === 'recovered' && row.incident_id !== null)
    await endCronIncident(tx, deps, told, row.incident_id, atMs, nowMs)
  await tx
    .updateTable('cron_environment')
    .set({ ...standing, incident_id: incidentId })
    .where('id', '=', row.id)
    .execute()
  await countHour(tx, row.monitor_id, atMs, status === 'ok' ? 0 : 1)
}

async function countHour(tx: Records, monitorId: number, atMs: number, failed: 0 | 1): Promise<void> {
  const hourMs = Math.floor(atMs / HOUR_MS) * HOUR_MS
  const { numUpdatedRows } = await tx
    .updateTable('cron_hour')
    .set((eb) => ({ runs: eb('runs', '+', 1), failed: eb('failed', '+', failed) }))
    .where('monitor_id', '=', monitorId)
    .where('hour_ms', '=', hourMs)
    .executeTakeFirstOrThrow()
  if (Number(numUpdatedRows) > 0) return
  await tx
    .insertInto('cron_hour')
    .values({ monitor_id: monitorId, hour_ms: hourMs, runs: 1, failed })
    .execute()
  await tx
    .deleteFrom('cron_hour')
    .where('monitor_id', '=', monitorId)
    .where('hour_ms', '<', hourMs - KEPT_HOURS_MS)
    .execute()
}
