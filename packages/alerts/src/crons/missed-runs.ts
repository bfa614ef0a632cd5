/**
 * Runs that were expected and did not come, and runs that go on for too long. What was expected while Sonde itself did not run says
 * nothing of the job: it could not tell anybody.
 */
import type { Records } from '@sonde/stores'
import { insertRun, noteEnd } from './cron-rows.ts'
import { expectedAfter } from './cron-state.ts'
import { readCronConfig } from './monitor.ts'
import { readEnvironment } from './read-environment.ts'
import type { TellCronDeps } from './tell-cron.ts'

/** The last time in which nobody looked. */
export type Blind = { readonly fromMs: number; readonly untilMs: number }

const overlaps = (blind: Blind | undefined, fromMs: number, untilMs: number): boolean =>
  blind !== undefined && fromMs <= blind.untilMs && untilMs >= blind.fromMs

/** So many are noted one by one; of more, the schedule goes on from now. */
const MOST_AT_ONCE = 5

/** Those whose margin ended before `atMs`. Returns how many were noted. */
export async function missedBefore(
  tx: Records,
  deps: TellCronDeps,
  environmentId: number,
  atMs: number,
  blind: Blind | undefined,
  nowMs: number,
): Promise<number> {
  for (let noted = 0; ; noted++) {
    const row = await readEnvironment(tx, environmentId)
    if (!row || row.next_ms === null || row.due_ms === null || row.due_ms >= atMs) return noted
    const { next_ms: nextMs, due_ms: dueMs } = row
    const config = readCronConfig(row.config)
    const isBlind = overlaps(blind, nextMs, dueMs)
    const isMany = isBlind || noted === MOST_AT_ONCE
    await tx
      .updateTable('cron_environment')
      .set(expectedAfter(config, isMany ? atMs : nextMs))
      .where('id', '=', environmentId)
      .execute()
    const runId = await insertRun(tx, environmentId, {
      check_in_id: '',
      status: isBlind ? 'unknown' : 'missed',
      started_ms: nextMs,
      ended_ms: dueMs,
      duration_ms: null,
      timeout_ms: null,
      expected_ms: nextMs,
    })
    if (!isBlind) await noteEnd(tx, deps, row, { runId, status: 'missed', atMs: dueMs }, nowMs)
    if (isMany) return noted + 1
  }
}

/** False: it ended meanwhile. */
export async function timeOut(
  tx: Records,
  deps: TellCronDeps,
  run: { readonly id: number; readonly environmentId: number; readonly timeoutMs: number },
  blind: Blind | undefined,
  nowMs: number,
): Promise<boolean> {
  const isBlind = overlaps(blind, run.timeoutMs, run.timeoutMs)
  const { numUpdatedRows } = await tx
    .updateTable('cron_run')
    .set({ status: isBlind ? 'unknown' : 'timeout', timeout_ms: null })
    .where('id', '=', run.id)
    .where('timeout_ms', '=', run.timeoutMs)
    .executeTakeFirstOrThrow()
  if (Number(numUpdatedRows) === 0) return false
  const row = await readEnvironment(tx, run.environmentId)
  // A run may go on beyond the moment in which its monitor was disabled.
  if (row?.is_enabled === 1 && !isBlind)
    await noteEnd(tx, deps, row, { runId: run.id, status: 'timeout', atMs: run.timeoutMs }, nowMs)
  return true
}
