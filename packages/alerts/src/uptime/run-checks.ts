/**
 * The job that checks monitors when they are due. One node has its lease, so each is checked once an interval; what nobody
 * checked while nothing ran is checked once.
 */
import type { Seal } from '@sonde/access'
import type { Clock, Logger } from '@sonde/base'
import type { Outgoing } from '@sonde/outgoing'
import type { Telemetry } from '@sonde/stores'
import { checkMonitor } from './check-monitor.ts'
import { openSecretHeaders, UPTIME_MONITOR } from './monitor.ts'
import { noteCheck, type NoteDeps } from './note-check.ts'
import { hasResults, sendResults } from './send-results.ts'

export type UptimeDeps = NoteDeps & {
  readonly telemetry: Pick<Telemetry, 'insert'>
  readonly clock: Clock
  readonly logger: Logger
  readonly channels: { readonly outgoing: Pick<Outgoing, 'probe'>; readonly seal: Seal }
}

/** A slow side keeps one of these for its timeout; the others go on. */
const AT_ONCE = 20
const LOOK_EVERY_MS = 500

/** As `Job.dueMs`. */
export async function nextUptimeWorkMs({
  records,
}: Pick<UptimeDeps, 'records'>): Promise<number | undefined> {
  if (await hasResults(records)) return 0
  const row = await records
    .selectFrom('uptime_state')
    .select((eb) => eb.fn.min('due_ms').as('due_ms'))
    .where('due_ms', 'is not', null)
    .executeTakeFirst()
  return row?.due_ms ?? undefined
}

/** Until nothing is due and nothing runs. Returns how many were noted. Checks that the signal ends are not. */
export async function runChecks(deps: UptimeDeps, signal: AbortSignal): Promise<number> {
  const running = new Map<number, Promise<void>>()
  let noted = 0
  let trouble: unknown
  // Telemetry that is away holds up no check: what waits lies in the records.
  let sending: Promise<void> | undefined
  const send = (): Promise<void> =>
    (sending ??= sendAll(deps, signal).finally(() => {
      sending = undefined
    }))
  for (;;) {
    const due = signal.aborted || trouble !== undefined ? [] : await dueMonitors(deps, [...running.keys()])
    for (const row of due) {
      const work = checkOne(deps, row, signal)
        .then((isNoted) => {
          if (isNoted) noted++
        })
        .catch((error: unknown) => {
          trouble ??= error
        })
        .finally(() => running.delete(row.id))
      running.set(row.id, work)
    }
    if (running.size === 0) break
    const look = new Promise<void>((resolve) => setTimeout(resolve, LOOK_EVERY_MS).unref())
    await Promise.race([...running.values(), look])
    void send()
  }
  await sending
  if (trouble !== undefined) throw trouble
  await send()
  return noted
}

async function sendAll({ records, telemetry, logger }: UptimeDeps, signal: AbortSignal): Promise<void> {
  try {
    while (!signal.aborted && (await sendResults(records, telemetry)) > 0);
  } catch (error) {
    logger.warn({ err: error }, 'results of uptime checks wait for telemetry')
  }
}

const dueMonitors = async ({ records, clock }: UptimeDeps, running: readonly number[]) =>
  running.length >= AT_ONCE
    ? []
    : records
        .selectFrom('uptime_state')
        .innerJoin('uptime_monitor', 'uptime_monitor.id', 'uptime_state.monitor_id')
        .select(['uptime_monitor.id', 'uptime_monitor.value', 'uptime_monitor.secret', 'uptime_state.due_ms'])
        .where('uptime_state.due_ms', '<=', clock.nowMs())
        .$if(running.length > 0, (query) => query.where('uptime_monitor.id', 'not in', running))
        .orderBy((eb) => eb.fn.coalesce('uptime_state.due_ms', eb.val(0)))
        .orderBy('uptime_state.monitor_id')
        .limit(AT_ONCE - running.length)
        .execute()
type Due = Awaited<ReturnType<typeof dueMonitors>>[number]

async function checkOne(deps: UptimeDeps, row: Due, signal: AbortSignal): Promise<boolean> {
  const { clock, logger, channels } = deps
  const read = UPTIME_MONITOR.safeParse(JSON.parse(row.value))
  if (!read.success || row.due_ms === null) {
    logger.error({ monitor: row.id }, 'an uptime monitor cannot be read: it is paused')
    await deps.records
      .updateTable('uptime_state')
      .set({ due_ms: null })
      .where('monitor_id', '=', row.id)
      .execute()
    return false
  }
  const monitor = read.data
  const secrets = await openSecretHeaders(channels.seal, row.secret)
  const startedMs = clock.nowMs()
  const check = await checkMonitor(channels.outgoing, monitor, secrets, startedMs, signal)
  // Sonde stops: this says nothing of the other side.
  if (signal.aborted) return false
  const noted = { monitorId: row.id, dueMs: row.due_ms, startedMs, monitor, check }
  return noteCheck(deps, noted, clock.nowMs())
}
