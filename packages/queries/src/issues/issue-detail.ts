import type { Grant } from '@sonde/access'
import type { QueryDeps } from '../query-deps.ts'
import { type EventBars, eventBars } from './event-bars.ts'
import { findIssue } from './find-issue.ts'
import type { IssueRow } from './issue-row.ts'
import { issueTags, type TagSummary } from './issue-tags.ts'

export type IssueDetail = IssueRow & {
  readonly userCount: number
  /** Events of the issue that retention has kept. */
  readonly keptCount: number
  readonly bars24h: EventBars
  readonly bars14d: EventBars
  /** The twenty-four most frequent tags, three values each. */
  readonly tags: readonly TagSummary[]
}

/** The head of the issue screen. By id or short id; undefined when the grant has no such issue. */
export async function issueDetail(
  deps: QueryDeps,
  grant: Grant<'event:read', 'org' | 'project'>,
  issue: string | number,
): Promise<IssueDetail | undefined> {
  const row = await findIssue(deps, grant, issue)
  if (!row) return undefined
  const [bars24h, bars14d, tags, [counted]] = await Promise.all([
    eventBars(deps, [row], '24h'),
    eventBars(deps, [row], '14d'),
    issueTags(deps, row, { keys: 24, valuesPerKey: 3 }),
    deps.telemetry.query<{ kept: number; users: number }>(
      `SELECT count() AS kept, uniqIf(user_key, user_key != '') AS users FROM events
       WHERE project_id = {project:UInt32} AND issue_id = {issue:UInt64}`,
      { project: row.project.id, issue: row.id },
    ),
  ])
  return {
    ...row,
    userCount: counted?.users ?? 0,
    keptCount: counted?.kept ?? 0,
    bars24h: bars24h(row.id),
    bars14d: bars14d(row.id),
    tags,
  }
}
