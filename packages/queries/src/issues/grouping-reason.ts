/** "Why did this event land here?" on the issue screen. */
import type { GroupingTrace, NormalizedEvent } from '@sonde/protocol/event'
import type { QueryDeps } from '../query-deps.ts'
import type { IssueRow } from './issue-row.ts'

export type GroupingReason = {
  /** How the event was grouped; undefined for events from before that was kept. */
  readonly trace: GroupingTrace | undefined
  /** Every hash that leads to this issue; `isOfEvent` marks those of the event. At most 100. */
  readonly hashes: readonly { readonly hash: string; readonly isOfEvent: boolean }[]
}

/** `issue` comes from `findIssue` or `issueDetail`. One read along `issue_hash_by_issue`. */
export async function groupingReason(
  { records }: Pick<QueryDeps, 'records'>,
  issue: Pick<IssueRow, 'id' | 'project'>,
  event: NormalizedEvent,
): Promise<GroupingReason> {
  const trace = event.derived.grouping
  const rows = await records
    .selectFrom('issue_hash')
    .select('hash')
    .where('issue_id', '=', issue.id)
    .where('project_id', '=', issue.project.id)
    .orderBy('hash')
    .limit(100)
    .execute()
  const own = new Set(trace?.hashes)
  return { trace, hashes: rows.map(({ hash }) => ({ hash, isOfEvent: own.has(hash) })) }
}
