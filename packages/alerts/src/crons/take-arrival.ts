/** What a check-in changes: it makes or changes its monitor, begins or ends a run, and moves the time of the next. */
import type { CronArrival, CronRunStatus, Records } from '@sonde/stores'
import { insertRun, noteEnd } from './cron-rows.ts'
import { expectedAfter, expectedAfterRun } from './cron-state.ts'
import { CRON_LIMITS } from './cron-words.ts'
import { type Blind, missedBefore } from './missed-runs.ts'
import { readCronConfig, readSentConfig } from './monitor.ts'
import { type EnvironmentRow, readEnvironment } from './read-environment.ts'
import type { TellCronDeps } from './tell-cron.ts'

const MINUTE_MS = 60_000
const NEWEST = '0'.repeat(32)
/** Of a monitor that a check-in made; people say later whom else. */
const TELL_MEMBERS = JSON.stringify([{ type: 'members' }])

export type Arrived = {
  readonly projectId: number
  readonly receivedMs: number
  readonly checkIn: CronArrival
}

/** Within the caller's transaction. What no monitor is for, or one that is disabled, changes nothing. */
export async function takeArrival(
  tx: Records,
  deps: TellCronDeps,
  { projectId, receivedMs, checkIn }: Arrived,
  blind: Blind | undefined,
  nowMs: number,
): Promise<void> {
  const monitor = await monitorFor(tx, projectId, checkIn, receivedMs)
  if (!monitor || monitor.is_enabled === 0) return
  const environmentId = await environmentFor(tx, monitor.id, checkIn.environment, receivedMs)
  if (environmentId === undefined) return
  await missedBefore(tx, deps, environmentId, receivedMs, blind, nowMs)
  const row = await readEnvironment(tx, environmentId)
  if (!row) return
  const known = await runOf(tx, environmentId, checkIn.checkInId)
  if (known) await goOn(tx, deps, row, known, { receivedMs, checkIn }, nowMs)
  else await begin(tx, deps, row, { receivedMs, checkIn }, nowMs)
  await tx
    .updateTable('cron_environment')
    .set({ checked_ms: receivedMs })
    .where('id', '=', environmentId)
    .execute()
}

/** Code is the source of what it says: a config of a check-in changes the monitor. Whom it tells, people say. */
async function monitorFor(tx: Records, projectId: number, { slug, config }: CronArrival, atMs: number) {
  const known = await tx
    .selectFrom('cron_monitor')
    .select(['id', 'is_enabled', 'config', 'owner'])
    .where('project_id', '=', projectId)
    .where('slug', '=', slug)
    .executeTakeFirst()
  const sent = readSentConfig(config)
  if (!sent) return known
  const text = JSON.stringify(sent.config)
  if (known) {
    if (known.config === text) return known
    await tx
      .updateTable('cron_monitor')
      .set({ config: text, updated_ms: atMs })
      .where('id', '=', known.id)
      .execute()
    await expectAnew(tx, known.id, atMs)
    return known
  }
  const { count } = await tx
    .selectFrom('cron_monitor')
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .where('project_id', '=', projectId)
    .executeTakeFirstOrThrow()
  if (count >= CRON_LIMITS.monitors) return undefined
  const { id } = await tx
    .insertInto('cron_monitor')
    .values({
      project_id: projectId,
      slug,
      name: slug,
      config: text,
      actions: TELL_MEMBERS,
      owner: /^(?:user|team):\w{1,64}$/.test(sent.owner ?? '') ? (sent.owner ?? '') : '',
      is_enabled: 1,
      is_muted: 0,
      created_by: '',
      created_ms: atMs,
      updated_ms: atMs,
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  return { id, is_enabled: 1 as const }
}

/** Of all environments that have sent something: after `atMs`, by the config as it is now. */
export async function expectAnew(tx: Records, monitorId: number, atMs: number): Promise<void> {
  const { config, is_enabled } = await tx
    .selectFrom('cron_monitor')
    .select(['config', 'is_enabled'])
    .where('id', '=', monitorId)
    .executeTakeFirstOrThrow()
  const expected =
    is_enabled === 0 ? { next_ms: null, due_ms: null } : expectedAfter(readCronConfig(config), atMs)
  await tx.updateTable('cron_environment').set(expected).where('monitor_id', '=', monitorId).execute()
}

/** Undefined: the monitor has as many as it may have. */
async function environmentFor(
  tx: Records,
  monitorId: number,
  environment: string,
  atMs: number,
): Promise<number | undefined> {
  const rows = await tx
    .selectFrom('cron_environment')
    .select(['id', 'environment'])
    .where('monitor_id', '=', monitorId)
    .execute()
  const known = rows.find((row) => row.environment === environment)
  if (known) return known.id
  if (rows.length >= CRON_LIMITS.environments) return undefined
  const { id } = await tx
    .insertInto('cron_environment')
    .values({
      monitor_id: monitorId,
      environment,
      state: 'new',
      since_ms: atMs,
      next_ms: null,
      due_ms: null,
      checked_ms: null,
      failures: 0,
      successes: 0,
      failing_ms: null,
      incident_id: null,
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  return id
}

type KnownRun = { readonly id: number; readonly status: CronRunStatus; readonly started_ms: number }

async function runOf(tx: Records, environmentId: number, checkInId: string): Promise<KnownRun | undefined> {
  const runs = tx
    .selectFrom('cron_run')
    .select(['id', 'status', 'started_ms'])
    .where('environment_id', '=', environmentId)
    .orderBy('id', 'desc')
    .limit(1)
  return checkInId === NEWEST
    ? runs.where('status', '=', 'in_progress').where('timeout_ms', 'is not', null).executeTakeFirst()
    : runs.where('check_in_id', '=', checkInId).executeTakeFirst()
}

type At = Pick<Arrived, 'receivedMs' | 'checkIn'>

async function begin(
  tx: Records,
  deps: TellCronDeps,
  row: EnvironmentRow,
  { receivedMs, checkIn }: At,
  nowMs: number,
): Promise<void> {
  const config = readCronConfig(row.config)
  const { status, durationMs, release, traceId, checkInId } = checkIn
  const goesOn = status === 'in_progress'
  const runId = await insertRun(tx, row.id, {
    check_in_id: checkInId,
    status,
    started_ms: receivedMs - (goesOn ? 0 : Math.round(durationMs ?? 0)),
    ended_ms: goesOn ? null : receivedMs,
    duration_ms: goesOn || durationMs === undefined ? null : Math.round(durationMs),
    timeout_ms: goesOn ? receivedMs + config.maxRuntime * MINUTE_MS : null,
    expected_ms: row.next_ms !== null && row.next_ms <= receivedMs ? row.next_ms : null,
    release,
    trace_id: traceId,
  })
  await tx
    .updateTable('cron_environment')
    .set(expectedAfterRun(config, row, receivedMs))
    .where('id', '=', row.id)
    .execute()
  if (!goesOn) await noteEnd(tx, deps, row, { runId, status, atMs: receivedMs }, nowMs)
}

/** Told again that it goes on, it has its time anew. What timed out stays so, and has its duration. */
async function goOn(
  tx: Records,
  deps: TellCronDeps,
  row: EnvironmentRow,
  run: KnownRun,
  { receivedMs, checkIn }: At,
  nowMs: number,
): Promise<void> {
  const update = tx.updateTable('cron_run').where('id', '=', run.id)
  if (checkIn.status === 'in_progress') {
    if (run.status !== 'in_progress') return
    const timeoutMs = receivedMs + readCronConfig(row.config).maxRuntime * MINUTE_MS
    await update.set({ timeout_ms: timeoutMs }).execute()
    return
  }
  const durationMs = Math.round(checkIn.durationMs ?? receivedMs - run.started_ms)
  const isOpen = run.status === 'in_progress'
  await update
    .set({
      ended_ms: receivedMs,
      duration_ms: durationMs,
      timeout_ms: null,
      ...(isOpen && { status: checkIn.status }),
      ...(checkIn.traceId !== '' && { trace_id: checkIn.traceId }),
    })
    .execute()
  if (isOpen) await noteEnd(tx, deps, row, { runId: run.id, status: checkIn.status, atMs: receivedMs }, nowMs)
}
