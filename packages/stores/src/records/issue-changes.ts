/**
 * What changed about issues, as rows written in the transaction that changes them: the pipeline writes what events did, the
 * commands what people did. They are the activity on the screen of an issue; alerts look once at each row that they know, the
 * people whom one concerns are told of it once, and trackers that issues are linked to are to be told as well.
 */
import { ALERTED_CHANGES, type IssueChangeKind } from './alert-tables.ts'
import type { Records } from './schema.ts'
import { requestTrackerStates } from './tracker-requests.ts'

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
  /** Nobody is told before `tellHeldChanges`: with what else belongs to it, in one message. */
  readonly isHeld?: boolean
}

// Nine parameters for each row; SQLite takes 32,766 in one statement.
const ROWS_AT_ONCE = 1_000

const ALERTED: ReadonlySet<IssueChangeKind> = new Set(ALERTED_CHANGES)
/** The first event of an issue, in a release and in an environment: rules tell of these, nobody is subscribed yet. */
const FIRST: readonly IssueChangeKind[] = ['new', 'first_seen_in_release', 'first_seen_in_environment']

const rowOf = (change: IssueChange, nowMs: number) => ({
  project_id: change.projectId,
  issue_id: change.issueId,
  kind: change.kind,
  event_id: change.eventId ?? '',
  actor: change.actor ?? '',
  at_ms: nowMs,
  detail: JSON.stringify(change.detail ?? {}),
  is_pending: ALERTED.has(change.kind) ? 1 : 0,
  is_untold: FIRST.includes(change.kind) ? 0 : change.isHeld ? HELD : 1,
})

const HELD = 2

export async function noteIssueChanges(
  tx: Records,
  changes: readonly IssueChange[],
  nowMs: number,
): Promise<void> {
  for (let at = 0; at < changes.length; at += ROWS_AT_ONCE)
    await tx
      .insertInto('issue_change')
      .values(changes.slice(at, at + ROWS_AT_ONCE).map((change) => rowOf(change, nowMs)))
      .execute()
  await requestTrackerStates(tx, changes, nowMs)
}

/** Reads the project's activity. */
export async function tellHeldChanges(tx: Records, projectId: number): Promise<void> {
  await tx
    .updateTable('issue_change')
    .set({ is_untold: 1 })
    .where('project_id', '=', projectId)
    .where('is_untold', '=', HELD)
    .execute()
}

/** One that something else belongs to. Returns its id. */
export async function noteIssueChange(tx: Records, change: IssueChange, nowMs: number): Promise<number> {
  const { id } = await tx
    .insertInto('issue_change')
    .values(rowOf(change, nowMs))
    .returning('id')
    .executeTakeFirstOrThrow()
  await requestTrackerStates(tx, [change], nowMs)
  return id
}

/**
 * What was done about an issue, and who is subscribed to it, become those of the one that it becomes part of: nobody's comment
 * goes with the row of an issue. That it was new is not said twice.
 */
export async function moveActivity(tx: Records, fromId: number, intoId: number): Promise<void> {
  await tx
    .updateTable('issue_change')
    .set({ issue_id: intoId })
    .where('issue_id', '=', fromId)
    .where('kind', 'not in', FIRST)
    .execute()
  await tx
    .insertInto('issue_subscription')
    .columns(['issue_id', 'user_id', 'is_active', 'reason', 'created_ms'])
    .expression((eb) =>
      eb
        .selectFrom('issue_subscription')
        .select([eb.val(intoId).as('id'), 'user_id', 'is_active', 'reason', 'created_ms'])
        .where('issue_id', '=', fromId),
    )
    .onConflict((conflict) => conflict.doNothing())
    .execute()
}
