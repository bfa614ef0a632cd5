/** Finds an issue by id or short id, within a grant. One that became part of another is found as that. */
import type { Grant } from '@sonde/access'
import type { QueryDeps } from '../query-deps.ts'
import { type IssueRow, issueRow, selectIssues } from './issue-row.ts'

/** `42` or `SHOP-7`, in any case. Undefined when there is none in the grant. `namesIssue` tells whether it is a redirect. */
export async function findIssue(
  { records }: Pick<QueryDeps, 'records'>,
  grant: Grant<'event:read', 'org' | 'project'>,
  issue: string | number,
): Promise<IssueRow | undefined> {
  const text = String(issue)
  const shortId = /^([A-Za-z0-9_-]{1,100})-(\d{1,15})$/.exec(text)
  if (!shortId && !/^\d{1,15}$/.test(text)) return undefined
  let granted = selectIssues(records).where('project.org_id', '=', grant.orgId)
  if ('projectId' in grant) granted = granted.where('project.id', '=', grant.projectId)
  if (shortId) granted = granted.where('project.slug', '=', (shortId[1] ?? '').toLowerCase())
  const number = Number(shortId?.[2] ?? text)
  const own = await granted.where(shortId ? 'issue.short_number' : 'issue.id', '=', number).executeTakeFirst()
  const row =
    own ??
    (await granted
      .innerJoin('issue_redirect', 'issue_redirect.into_issue_id', 'issue.id')
      .whereRef('issue_redirect.project_id', '=', 'project.id')
      .where(shortId ? 'issue_redirect.short_number' : 'issue_redirect.from_issue_id', '=', number)
      .executeTakeFirst())
  return row && issueRow(row)
}

/** False: the text is an address of before, and leads to the issue. */
export const namesIssue = ({ id, shortId }: Pick<IssueRow, 'id' | 'shortId'>, text: string): boolean =>
  text === String(id) || text.toUpperCase() === shortId.toUpperCase() || Number(text) === id
