/** Finds an issue by id or short id, within a scope. */
import type { QueryDeps } from '../query-deps.ts'
import type { AnyScope } from '../scope-projects.ts'
import { type IssueRow, issueRow, selectIssues } from './issue-row.ts'

/** `42` or `SHOP-7`, in any case. Undefined when there is none in the scope. */
export async function findIssue(
  { records }: Pick<QueryDeps, 'records'>,
  scope: AnyScope,
  issue: string | number,
): Promise<IssueRow | undefined> {
  const text = String(issue)
  const shortId = /^([A-Za-z0-9_-]{1,100})-(\d{1,15})$/.exec(text)
  if (!shortId && !/^\d{1,15}$/.test(text)) return undefined
  let query = selectIssues(records).where('project.org_id', '=', scope.orgId)
  if ('projectId' in scope) query = query.where('project.id', '=', scope.projectId)
  query = shortId
    ? query
        .where('project.slug', '=', (shortId[1] ?? '').toLowerCase())
        .where('issue.short_number', '=', Number(shortId[2]))
    : query.where('issue.id', '=', Number(text))
  const row = await query.executeTakeFirst()
  return row && issueRow(row)
}
