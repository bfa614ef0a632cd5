import type { Grant } from '@sonde/access'
import type { NormalizedEvent } from '@sonde/protocol/event'
import { findSuspectCommits, type SuspectCommits } from '@sonde/stores'
import type { QueryDeps } from '../query-deps.ts'

export type SuspectInput = {
  readonly issueId: number
  readonly event: NormalizedEvent
  /** At most so many commits. */
  readonly limit: number
}

/** Commits that probably caused an issue. Undefined when no release is known to have brought it. */
export async function suspectCommits(
  { records }: Pick<QueryDeps, 'records'>,
  grant: Grant<'event:read' | 'project:read', 'project'>,
  { issueId, event, limit }: SuspectInput,
): Promise<SuspectCommits | undefined> {
  const release = await releaseOfIssue({ records }, grant, issueId)
  if (release === '') return undefined
  const { orgId, projectId } = grant
  return findSuspectCommits(records, { orgId, projectId, release, event, limit })
}

/** That brought it back, which is what somebody looks for now, else that brought it; empty when none is known. */
export async function releaseOfIssue(
  { records }: Pick<QueryDeps, 'records'>,
  { projectId }: Pick<Grant<'event:read', 'project'>, 'projectId'>,
  issueId: number,
): Promise<string> {
  const issue = await records
    .selectFrom('issue')
    .select(['first_release', 'regressed_release'])
    .where('id', '=', issueId)
    .where('project_id', '=', projectId)
    .executeTakeFirst()
  return issue?.regressed_release || issue?.first_release || ''
}
