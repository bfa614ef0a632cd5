/** What a change to issues asks of their trackers, written in the transaction that makes it, so that none is lost. */
import type { IssueChange } from './issue-changes.ts'
import type { Records } from './schema.ts'
import type { ExternalWish } from './tracker-tables.ts'

const WISHES: Readonly<Partial<Record<IssueChange['kind'], ExternalWish>>> = {
  resolved: 'closed',
  reopened: 'open',
  regressed: 'open',
}

/** Who did it, where a tracker's webhook was it. */
export const trackerActor = (connectionId: number): string => `tracker:${connectionId}`

/** SQLite takes 32,766 parameters in one statement; the changes of one transaction may be more. */
const ISSUES_AT_ONCE = 1_000

/** The tracker that a change came from is not told of it: it knows, and would tell it back. */
export async function wishTrackerStates(
  tx: Records,
  changes: readonly IssueChange[],
  nowMs: number,
): Promise<void> {
  const wishing = changes.filter(({ kind }) => WISHES[kind] !== undefined)
  const groups = Map.groupBy(
    wishing,
    ({ kind, actor = '' }) => `${WISHES[kind]} ${actor.startsWith('tracker:') ? actor : ''}`,
  )
  for (const [name, own] of groups) {
    const [wanted, actor] = name.split(' ') as [ExternalWish, string]
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
        // One that does not exist yet is made open; nobody would look for it closed.
        .where('wanted', '<>', 'create')
        .where('connection_id', 'in', (eb) =>
          eb
            .selectFrom('tracker_connection')
            .select('id')
            .where('sync_out', '=', 1)
            .$if(actor !== '', (query) => query.where('id', '<>', Number(actor.slice('tracker:'.length)))),
        )
        .execute()
  }
}
