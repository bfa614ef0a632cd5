/**
 * What alerts leave behind, once it is as old as the events that it is about. In small steps, and walking along ids, which are
 * in the order of time: what is young is not looked at.
 */
import type { Clock } from '@sonde/base'
import type { Records } from '@sonde/stores'
import { sql, type SqlBool } from 'kysely'
import { ROWS_AT_ONCE, sweepById } from './sweep-by-id.ts'

type Sweeping = {
  readonly records: Records
  readonly clock: Clock
  readonly retentionDays: number
  readonly signal: AbortSignal
}

const DAY_MS = 86_400_000

/** May be interrupted anywhere and called again. */
export async function sweepAlerts(sweeping: Sweeping): Promise<void> {
  await sweepNotifications(sweeping)
  await sweepIssueChanges(sweeping)
  await sweepIncidents(sweeping)
  await sweeping.records.deleteFrom('spike').where('ended_ms', '<', beforeMs(sweeping)).execute()
}

const beforeMs = ({ clock, retentionDays }: Pick<Sweeping, 'clock' | 'retentionDays'>): number =>
  clock.nowMs() - retentionDays * DAY_MS

/** Told long ago: a screen shows it no longer than the events that it is about. What waits is tried for a day at most. */
async function sweepNotifications({ records, signal, ...rest }: Sweeping): Promise<void> {
  for (;;) {
    if (signal.aborted) return
    const { numDeletedRows } = await records
      .deleteFrom('notification')
      .where('id', 'in', (eb) =>
        eb
          .selectFrom('notification')
          .select('id')
          .where('created_ms', '<', beforeMs(rest))
          .where('state', 'in', ['sent', 'failed', 'digested'])
          .limit(ROWS_AT_ONCE),
      )
      .executeTakeFirstOrThrow()
    if (Number(numDeletedRows) < ROWS_AT_ONCE) return
  }
}

/**
 * Of the issues' changes only where each was first seen, once alerts have looked at it. All others are the activity of an issue and
 * live as long as it does (docs/decisions/0046-activity-lives-with-its-issue.md).
 */
async function sweepIssueChanges({ records, signal, ...rest }: Sweeping): Promise<void> {
  const before = beforeMs(rest)
  await sweepById(signal, before, {
    read: (afterId) =>
      records
        .selectFrom('issue_change')
        .select(['id', 'at_ms as madeMs', 'is_pending'])
        .where('id', '>', afterId)
        .where(IS_FIRST_SEEN)
        .orderBy('id')
        .limit(ROWS_AT_ONCE)
        .execute(),
    isOver: (row) => row.madeMs < before && row.is_pending === 0,
    remove: (ids) => records.deleteFrom('issue_change').where('id', 'in', ids).execute(),
  })
}

/** As the index says it that the walk goes along. */
const IS_FIRST_SEEN = sql<SqlBool>`kind IN ('first_seen_in_release', 'first_seen_in_environment')`

/** Those that ended long ago, with their notes. One that is open is kept however old: somebody still has to end it. */
async function sweepIncidents({ records, signal, ...rest }: Sweeping): Promise<void> {
  const before = beforeMs(rest)
  await sweepById(signal, before, {
    read: (afterId) =>
      records
        .selectFrom('incident')
        // Not when it fired the last time: an old one that goes on firing would end the walk.
        .select(['id', 'started_ms as madeMs', 'resolved_ms'])
        .where('id', '>', afterId)
        .orderBy('id')
        .limit(ROWS_AT_ONCE)
        .execute(),
    isOver: (row) => row.resolved_ms !== null && row.resolved_ms < before,
    remove: (ids) => records.deleteFrom('incident').where('id', 'in', ids).execute(),
  })
}
