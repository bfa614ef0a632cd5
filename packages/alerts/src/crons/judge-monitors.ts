/**
 * The job that judges monitors: takes check-ins in the order in which they came, then finds what was missed and what takes too long.
 * One node has its lease, and each step is one transaction that takes away what it was made for, so a crash repeats nothing.
 */
import type { Clock, Logger } from '@sonde/base'
import { type CronArrival, type Records, writeTransaction } from '@sonde/stores'
import { type Blind, missedBefore, timeOut } from './missed-runs.ts'
import { takeArrival } from './take-arrival.ts'
import type { TellCronDeps } from './tell-cron.ts'

export type CronDeps = TellCronDeps & {
  readonly records: Records
  readonly clock: Clock
  readonly logger: Logger
  /** Age of the oldest item that was received and is not stored yet. */
  readonly lagMs: () => Promise<number>
}

const AT_ONCE = 50
/** A check-in is stored some moments after it was received. */
const SETTLED_AFTER_MS = 2_000
/** With a lag that does not end, an alarm that may be wrong is worth more than none. */
const MAX_WAIT_MS = 10 * 60_000
const LOOK_EVERY_MS = 30_000
/** Whoever did not look for so long did not run, and nor did what takes check-ins. */
const BLIND_AFTER_MS = 120_000
const CLOCK_ID = 1

const readClock = (records: Records) => records.selectFrom('cron_clock').selectAll().executeTakeFirst()

/** As `Job.dueMs`. Cheap. Also now and then without work, so that a standstill is known as one. */
export async function nextCronWorkMs({ records }: Pick<CronDeps, 'records'>): Promise<number | undefined> {
  const arrival = await records.selectFrom('cron_arrival').select('id').limit(1).executeTakeFirst()
  if (arrival) return 0
  const due = await records
    .selectFrom('cron_environment')
    .select((eb) => eb.fn.min('due_ms').as('at'))
    .where('due_ms', 'is not', null)
    .executeTakeFirst()
  const late = await records
    .selectFrom('cron_run')
    .select((eb) => eb.fn.min('timeout_ms').as('at'))
    .where('timeout_ms', 'is not', null)
    .executeTakeFirst()
  const at = [due?.at, late?.at].filter((each) => each !== null && each !== undefined).map(Number)
  if (at.length === 0) return undefined
  const looked = await readClock(records)
  return 1 + Math.min(...at.map((each) => each + SETTLED_AFTER_MS), (looked?.looked_ms ?? 0) + LOOK_EVERY_MS)
}

/** Returns how many check-ins, missed runs and timeouts it noted. */
export async function judgeMonitors(deps: CronDeps, signal: AbortSignal): Promise<number> {
  const { clock } = deps
  const nowMs = clock.nowMs()
  // Asked first: what is stored after this was received later than what is judged.
  const lag = Math.min(await deps.lagMs(), MAX_WAIT_MS)
  const blind = await look(deps.records, nowMs)
  let noted = 0
  for (let taken = -1; taken !== 0 && !signal.aborted; noted += taken)
    taken = await takeArrivals(deps, blind, clock.nowMs())
  const untilMs = nowMs - SETTLED_AFTER_MS - lag
  return noted + (await judgeUntil(deps, untilMs, blind, signal))
}

/** Notes that somebody looks. Undefined: there was always somebody. */
async function look(records: Records, nowMs: number): Promise<Blind | undefined> {
  return writeTransaction(records, async (tx) => {
    const before = await readClock(tx)
    if (!before) {
      await tx
        .insertInto('cron_clock')
        .values({ id: CLOCK_ID, looked_ms: nowMs, blind_from_ms: 0, blind_until_ms: 0 })
        .execute()
      return undefined
    }
    const { looked_ms: lookedMs, blind_from_ms: fromMs, blind_until_ms: untilMs } = before
    // It may have died again before it judged all of the first time.
    const isSame = lookedMs - untilMs < MAX_WAIT_MS && untilMs > 0
    const blind =
      nowMs - lookedMs > BLIND_AFTER_MS
        ? { fromMs: isSame ? fromMs : lookedMs, untilMs: nowMs }
        : { fromMs, untilMs }
    await tx
      .updateTable('cron_clock')
      .set({ looked_ms: nowMs, blind_from_ms: blind.fromMs, blind_until_ms: blind.untilMs })
      .execute()
    return blind.untilMs === 0 ? undefined : blind
  })
}

/** Returns how many were taken; 0: none waits. */
async function takeArrivals(deps: CronDeps, blind: Blind | undefined, nowMs: number): Promise<number> {
  return writeTransaction(deps.records, async (tx) => {
    const rows = await tx.selectFrom('cron_arrival').selectAll().orderBy('id').limit(AT_ONCE).execute()
    for (const { id, project_id: projectId, received_ms: receivedMs, value } of rows) {
      const { numDeletedRows } = await tx.deleteFrom('cron_arrival').where('id', '=', id).executeTakeFirst()
      if (Number(numDeletedRows) === 0) continue
      const checkIn = JSON.parse(value) as CronArrival
      await takeArrival(tx, deps, { projectId, receivedMs, checkIn }, blind, nowMs)
    }
    return rows.length
  })
}

/** What came due before `untilMs`, the earliest first. */
async function judgeUntil(
  deps: CronDeps,
  untilMs: number,
  blind: Blind | undefined,
  signal: AbortSignal,
): Promise<number> {
  const { records, clock } = deps
  let noted = 0
  while (!signal.aborted) {
    const late = await records
      .selectFrom('cron_run')
      .select(['id', 'environment_id', 'timeout_ms'])
      .where('timeout_ms', '<', untilMs)
      .limit(AT_ONCE)
      .execute()
    const due = await records
      .selectFrom('cron_environment')
      .select('id')
      .where('due_ms', '<', untilMs)
      .limit(AT_ONCE)
      .execute()
    if (late.length + due.length === 0) break
    await writeTransaction(records, async (tx) => {
      for (const { id, environment_id: environmentId, timeout_ms } of late)
        if (timeout_ms !== null)
          await timeOut(tx, deps, { id, environmentId, timeoutMs: timeout_ms }, blind, clock.nowMs())
      for (const { id } of due) await missedBefore(tx, deps, id, untilMs, blind, clock.nowMs())
    })
    noted += late.length + due.length
  }
  return noted
}
