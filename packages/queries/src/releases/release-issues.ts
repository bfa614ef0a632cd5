/** Issues that a release brought, brought back, or in which they are resolved. */
import type { Grant } from '@sonde/access'
import { type IssueRow, issueRow, selectIssues } from '../issues/issue-row.ts'
import type { QueryDeps } from '../query-deps.ts'

export const RELEASE_ISSUE_KINDS = ['new', 'regressed', 'resolved'] as const
export type ReleaseIssueKind = (typeof RELEASE_ISSUE_KINDS)[number]

/** `eventCount` is ever, in all releases. */
export type ReleaseIssue = Omit<IssueRow, 'id' | 'project' | 'lastEventId'> & {
  /** Of those that are stored, in this release. */
  readonly eventsHere: number
  readonly usersHere: number
}
export type ReleaseIssuesInput = {
  readonly version: string
  /** In the order of the project: what is resolved in the one after it is resolved in this. */
  readonly previous: string | undefined
  readonly kind: ReleaseIssueKind
  /** At most 100. */
  readonly limit: number
}

/** Those with the most events first. By an index of the records, then one range of `events` for each. */
export async function releaseIssues(
  { records, telemetry }: Pick<QueryDeps, 'records' | 'telemetry'>,
  { projectId }: Grant<'event:read' | 'project:read', 'project'>,
  { version, previous = '', kind, limit }: ReleaseIssuesInput,
): Promise<readonly ReleaseIssue[]> {
  if (version === '') return []
  const found = await selectIssues(records)
    .where('issue.project_id', '=', projectId)
    // That they are not empty is said for the engine: the indexes are of those rows only.
    .$if(kind === 'new', (query) =>
      query.where('issue.first_release', '=', version).where('issue.first_release', '<>', ''),
    )
    .$if(kind === 'regressed', (query) =>
      query.where('issue.regressed_release', '=', version).where('issue.regressed_release', '<>', ''),
    )
    .$if(kind === 'resolved', (query) =>
      query
        .where('issue.status', '=', 'resolved')
        .where('issue.resolved_release', '<>', '')
        .where(({ and, eb, or }) =>
          or([
            and([eb('issue.resolved_release', '=', version), eb('issue.resolved_in', '=', 'release')]),
            and([eb('issue.resolved_release', '=', previous), eb('issue.resolved_in', '=', 'next_release')]),
          ]),
        ),
    )
    .orderBy('issue.event_count', 'desc')
    .orderBy('issue.id', 'desc')
    .limit(limit)
    .execute()
  if (found.length === 0) return []
  const here = await telemetry.query<{ issue: number; events: number; users: number }>(
    `SELECT issue_id AS issue, count() AS events, uniqIf(user_key, user_key != '') AS users FROM events
     WHERE project_id = {project:UInt32} AND issue_id IN {issues:Array(UInt64)} AND release = {release:String}
     GROUP BY issue`,
    { project: projectId, issues: found.map(({ id }) => id), release: version },
  )
  const hereOf = new Map(here.map((row) => [row.issue, row]))
  return found.map((row) => {
    const { id, project: _, lastEventId: __, ...shown } = issueRow(row)
    const { events = 0, users = 0 } = hereOf.get(id) ?? {}
    return { ...shown, eventsHere: events, usersHere: users }
  })
}
