/** The states of many issues: what a change to them can be taken back to. */
import type { IssueStatus } from '@sonde/stores'
import type { QueryDeps } from '../query-deps.ts'
import { type AnyScope, projectIdsOf } from '../scope-projects.ts'

export type IssueState = {
  readonly id: number
  readonly status: IssueStatus
  readonly substatus: string
  /** Of a resolved one: from which release on it may come back. Empty: from any. */
  readonly resolvedIn: '' | 'release' | 'next_release'
  readonly resolvedRelease: string
}

/** Of those that exist in the scope, by id; at most 30,000 (SQLite binds 32,766 values). One read by primary key. */
export async function issueStates(
  deps: Pick<QueryDeps, 'records'>,
  scope: AnyScope,
  ids: readonly number[],
): Promise<readonly IssueState[]> {
  const projectIds = await projectIdsOf(deps, scope)
  if (ids.length === 0 || projectIds.length === 0) return []
  return deps.records
    .selectFrom('issue')
    .select(['id', 'status', 'substatus'])
    .select(['resolved_in as resolvedIn', 'resolved_release as resolvedRelease'])
    .where('id', 'in', ids)
    .where('project_id', 'in', projectIds)
    .orderBy('id')
    .execute()
}
