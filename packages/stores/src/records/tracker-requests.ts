/** What a change to issues asks of their trackers, written in the transaction that makes it, so that none is lost. */
import { sql, type SqlBool } from 'kysely'
import type { IssueChangeKind } from './alert-tables.ts'
import type { Records } from './schema.ts'
import type { RequestedState } from './tracker-tables.ts'

const REQUESTED: Readonly<Partial<Record<IssueChangeKind, RequestedState>>> = {
  resolved: 'closed',
  reopened: 'open',
  regressed: 'open',
}

/** Of `tracker_link`, as its index says it: a bound value would not be matched with it. */
export const HAS_REQUEST = sql<SqlBool>`tracker_link.wanted <> ''`

/** Who did it, where a tracker's webhook was it. */
export const trackerActor = (connectionId: number): string => `tracker:${connectionId}`

/** SQLite takes 32,766 parameters in one statement; the changes of one transaction may be more. */
const ISSUES_AT_ONCE = 1_000

/** Of every tracker that follows. Whoever writes what one of them told takes the request of that link back. */
export async function requestTrackerStates(
  tx: Records,
  changes: readonly { readonly issueId: number; readonly kind: IssueChangeKind }[],
  nowMs: number,
): Promise<void> {
  for (const [wanted, own] of Map.groupBy(changes, ({ kind }) => REQUESTED[kind])) {
    if (wanted === undefined) continue
    for (let at = 0; at < own.length; at += ISSUES_AT_ONCE)
      await tx
        .updateTable('tracker_link')
        .set({ wanted, attempts: 0, next_attempt_ms: nowMs, answer: '' })
        .where(
          'issue_id',
          'in',
          own.slice(at, at + ISSUES_AT_ONCE).map(({ issueId }) => issueId),
        )
        .where('state', '<>', 'deleted')
        // What does not exist there has nothing to close or open.
        .where('external_id', '<>', '')
        .where('connection_id', 'in', (eb) =>
          eb.selectFrom('tracker_connection').select('id').where('sync_out', '=', 1),
        )
        .execute()
  }
}
