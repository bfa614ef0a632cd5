/** An issue as `--json` prints it, from the public API's. */

/** https://docs.sentry.io/api/events/list-an-organizations-issues/ */
export type ApiIssue = {
  readonly id: string
  readonly shortId: string
  readonly title: string
  readonly culprit: string
  readonly permalink: string
  readonly level: string
  readonly status: string
  readonly substatus: string | null
  readonly priority: string | null
  readonly project: { readonly slug: string }
  readonly count: string
  readonly userCount: number
  readonly firstSeen: string
  readonly lastSeen: string
  readonly assignedTo: { readonly type: string; readonly name: string; readonly email?: string } | null
}

export const issueAnswer = (issue: ApiIssue) => ({
  id: issue.id,
  shortId: issue.shortId,
  title: issue.title,
  culprit: issue.culprit,
  level: issue.level,
  status: issue.status,
  substatus: issue.substatus,
  priority: issue.priority,
  project: issue.project.slug,
  events: Number(issue.count),
  users: issue.userCount,
  firstSeen: issue.firstSeen,
  lastSeen: issue.lastSeen,
  assignedTo: assigneeText(issue.assignedTo),
  url: issue.permalink,
})

/** As `issues assign --to` takes it: an address, or `#team`. */
const assigneeText = (assignee: ApiIssue['assignedTo']): string | null =>
  assignee === null
    ? null
    : assignee.type === 'team'
      ? `#${assignee.name}`
      : (assignee.email ?? assignee.name)
