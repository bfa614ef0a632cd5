/**
 * Brings archived issues back: at a time, after more events or users, or because they come much more often than usual.
 * Looks at issues whose time has come or that had events since the last look; the counts come from what is stored.
 */
import type { Clock } from '@sonde/base'
import { isEscalatingNow, issueCountSince } from '@sonde/queries'
import {
  noteIssueChanges,
  PRIORITY_VALUES,
  type Records,
  type Telemetry,
  writeTransaction,
} from '@sonde/stores'

export type WakeDeps = {
  readonly records: Records
  readonly telemetry: Telemetry
  readonly clock: Clock
}

const MINUTE_MS = 60_000
const AT_ONCE = 200

const snoozed = (records: Records) =>
  records
    .selectFrom('issue_snooze')
    .innerJoin('issue', 'issue.id', 'issue_snooze.issue_id')
    .where('issue.status', '=', 'ignored')
    // One that people merged into another sleeps on until it is given back.
    .where('issue.event_count', '>', 0)
    .where('issue.substatus', 'in', ['archived_until_condition_met', 'archived_until_escalating'])

const due = ({ records, clock }: Pick<WakeDeps, 'records' | 'clock'>) =>
  snoozed(records).where((eb) =>
    eb.or([
      eb('issue_snooze.until_ms', '<=', clock.nowMs()),
      eb('issue.event_count', '>', eb.ref('issue_snooze.looked_count')),
    ]),
  )

/** As `Job.dueMs`. Cheap: only archived issues have a row. */
export async function nextWakeMs(deps: Pick<WakeDeps, 'records' | 'clock'>): Promise<number | undefined> {
  if ((await due(deps).select('issue_snooze.issue_id').limit(1).execute()).length > 0) return 0
  const next = await snoozed(deps.records)
    .select((eb) => eb.fn.min('issue_snooze.until_ms').as('at'))
    .executeTakeFirst()
  return next?.at ?? undefined
}

type Due = Awaited<ReturnType<typeof readDue>>[number]

const readDue = (deps: WakeDeps) =>
  due(deps)
    .selectAll('issue_snooze')
    .select(['issue.project_id', 'issue.event_count as events_now', 'issue.is_priority_set'])
    .orderBy('issue_snooze.issue_id')
    .limit(AT_ONCE)
    .execute()

/** Why one comes back: stands in the activity. */
type Ending = 'time' | 'events' | 'users' | 'escalating'

/** Returns how many it looked at, and which came back. */
export async function wakeIssues(
  deps: WakeDeps,
): Promise<{ readonly looked: number; readonly woken: readonly { id: number; projectId: number }[] }> {
  const rows = await readDue(deps)
  const woken: { id: number; projectId: number }[] = []
  for (const row of rows) {
    const ending = await endingOf(deps, row)
    if (await conclude(deps, row, ending)) woken.push({ id: row.issue_id, projectId: row.project_id })
  }
  return { looked: rows.length, woken }
}

async function endingOf(deps: WakeDeps, row: Due): Promise<Ending | undefined> {
  const nowMs = deps.clock.nowMs()
  if (row.until_ms !== null && row.until_ms <= nowMs) return 'time'
  const issue = { projectId: row.project_id, issueId: row.issue_id }
  const since = (minutes: number | null): number =>
    minutes === null ? row.started_ms : Math.max(row.started_ms, nowMs - minutes * MINUTE_MS)
  if (row.event_count !== null) {
    const events =
      row.event_minutes === null
        ? row.events_now - row.base_count
        : await issueCountSince(deps, issue, 'events', since(row.event_minutes))
    if (events >= row.event_count) return 'events'
  }
  if (row.user_count !== null) {
    const users = await issueCountSince(deps, issue, 'users', since(row.user_minutes))
    if (users >= row.user_count) return 'users'
  }
  return row.is_until_escalating === 1 && (await isEscalatingNow(deps, issue, nowMs))
    ? 'escalating'
    : undefined
}

/** False: it stays away until its next event, or somebody has changed it meanwhile. */
async function conclude(
  { records, clock }: WakeDeps,
  row: Due,
  ending: Ending | undefined,
): Promise<boolean> {
  const atMs = clock.nowMs()
  const isEscalating = ending === 'escalating'
  return writeTransaction(records, async (tx) => {
    // Archived anew while this was counted: another promise, with another look.
    const own = tx.updateTable('issue_snooze').set({ looked_count: row.events_now })
    const [kept] = await own
      .where('issue_id', '=', row.issue_id)
      .where('started_ms', '=', row.started_ms)
      .returning('issue_id')
      .execute()
    if (!kept || ending === undefined) return false
    const [issue] = await tx
      .updateTable('issue')
      .set({
        status: 'unresolved',
        substatus: isEscalating ? 'escalating' : 'ongoing',
        review_reason: isEscalating ? 'escalating' : 'unignored',
        review_ms: atMs,
        ...(isEscalating && row.is_priority_set === 0 && { priority: PRIORITY_VALUES.high }),
      })
      .where('id', '=', row.issue_id)
      .where('status', '=', 'ignored')
      .where('substatus', 'like', 'archived_until_%')
      .returning('id')
      .execute()
    if (!issue) return false
    await tx.deleteFrom('issue_snooze').where('issue_id', '=', row.issue_id).execute()
    const change = { projectId: row.project_id, issueId: row.issue_id, detail: { ending } }
    await noteIssueChanges(
      tx,
      [
        { ...change, kind: 'reopened' as const },
        ...(isEscalating ? [{ ...change, kind: 'escalating' as const }] : []),
      ],
      atMs,
    )
    return true
  })
}
