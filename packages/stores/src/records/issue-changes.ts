/**
 * What changed about issues, as rows written in the transaction that changes them: the pipeline writes what events did, the
 * commands what people did. They are the activity on the screen of an issue; alerts look once at each row that they know, and
 * trackers that issues are linked to are to be told as well.
 */
import { ALERTED_CHANGES, type IssueChangeKind } from './alert-tables.ts'
import type { Records } from './schema.ts'
import { wishTrackerStates } from './tracker-wishes.ts'

export type IssueChange = {
  readonly projectId: number
  readonly issueId: number
  readonly kind: IssueChangeKind
  /** The event that did it. Absent: a person. */
  readonly eventId?: string
  /** `actorOf` the person. */
  readonly actor?: string
  /** Small and without secrets: `{assignee: 'team:3'}`, … */
  readonly detail?: Readonly<Record<string, unknown>>
}

// Eight parameters for each row; SQLite takes 32,766 in one statement.
const ROWS_AT_ONCE = 1_000

const ALERTED: ReadonlySet<IssueChangeKind> = new Set(ALERTED_CHANGES)

export async function noteIssueChanges(
  tx: Records,
  changes: readonly IssueChange[],
  nowMs: number,
): Promise<void> {
  for (let at = 0; at < changes.length; at += ROWS_AT_ONCE)
    await tx
      .insertInto('issue_change')
      .values(
        changes
          .slice(at, at + ROWS_AT_ONCE)
          .map(({ projectId, issueId, kind, eventId = '', actor = '', detail = {} }) => ({
            project_id: projectId,
            issue_id: issueId,
            kind,
            event_id: eventId,
            actor,
            at_ms: nowMs,
            detail: JSON.stringify(detail),
            is_pending: ALERTED.has(kind) ? 1 : 0,
          })),
      )
      .execute()
  await wishTrackerStates(tx, changes, nowMs)
}
