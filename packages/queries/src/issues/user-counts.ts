/** How many different users the issues of one page had. */
import type { QueryDeps } from '../query-deps.ts'
import { type CountedIssue, createIssueMemory } from './issue-memory.ts'

/**
 * For at most 100 issues; reads their ranges of `events` (ordering key project, issue), one narrow column. An estimate
 * (`uniq`) that is exact up to some tens of thousands: https://clickhouse.com/docs/sql-reference/aggregate-functions/reference/uniq
 */
export async function userCounts(
  deps: Pick<QueryDeps, 'telemetry' | 'clock'>,
  issues: readonly CountedIssue[],
): Promise<(issueId: number) => number> {
  const { telemetry: owner, clock } = deps
  const users = await remember({ owner, question: 'users', clock }, issues, (unknown) => count(deps, unknown))
  return (issueId) => users(issueId) ?? 0
}

const remember = createIssueMemory<number>()

async function count(
  { telemetry }: Pick<QueryDeps, 'telemetry'>,
  issues: readonly CountedIssue[],
): Promise<(issueId: number) => number> {
  const rows = await telemetry.query<{ issue: number; users: number }>(
    `SELECT issue_id AS issue, uniq(user_key) AS users FROM events
     WHERE project_id IN {projects:Array(UInt32)} AND issue_id IN {issues:Array(UInt64)} AND user_key != ''
     GROUP BY issue_id`,
    {
      projects: [...new Set(issues.map((issue) => issue.project.id))],
      issues: issues.map((issue) => issue.id),
    },
  )
  const counts = new Map(rows.map((row) => [row.issue, row.users]))
  return (issueId) => counts.get(issueId) ?? 0
}
