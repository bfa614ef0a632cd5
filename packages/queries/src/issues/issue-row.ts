/** An issue as lists and details show it. */
import {
  type IssueStatus,
  type IssueTable,
  type Priority,
  priorityNamed,
  type RecordsSchema,
  type ReviewReason,
} from '@sonde/stores'
import { type ExpressionBuilder, type Kysely, type Selectable, sql, type SqlBool } from 'kysely'

export type IssueRow = {
  readonly id: number
  /** `SHOP-42`. */
  readonly shortId: string
  readonly project: ProjectRef
  readonly type: string
  readonly level: string
  readonly title: string
  readonly culprit: string
  readonly platform: string
  readonly logger: string
  /** `type`, `value`, `filename`, `function` as far as known. */
  readonly metadata: Readonly<Record<string, string>>
  readonly status: IssueStatus
  /** `new`, `ongoing`, `regressed`, …; empty when the status says it all. */
  readonly substatus: string
  readonly isUnhandled: boolean
  readonly firstSeenMs: number
  readonly lastSeenMs: number
  /** Ever, also of events that retention has removed. */
  readonly eventCount: number
  /** Empty when unknown. */
  readonly firstRelease: string
  readonly lastRelease: string
  /** Of a resolved one: from which release on an event brings it back. Empty: any event does. */
  readonly resolvedIn: '' | 'release' | 'next_release'
  readonly resolvedRelease: string
  /** 32 lower hex. */
  readonly lastEventId: string
  readonly priority: Priority
  /** False: by the rule. */
  readonly isPrioritySet: boolean
  /** Why somebody is to look at it; undefined: somebody has, or it came up too long ago. */
  readonly reviewReason: ReviewReason | undefined
  readonly reviewMs: number
  /** Undefined: nobody has it. */
  readonly assignee: Assignee | undefined
}

export type Assignee = {
  readonly type: 'user' | 'team'
  readonly id: string
  /** As people call it: the name, or what stands for it; a team's with its `#`. */
  readonly name: string
  /** Of a person; of a team empty. */
  readonly email: string
}

export type ProjectRef = {
  readonly id: number
  readonly slug: string
  readonly name: string
  readonly platform: string
}

type JoinedRow = Selectable<IssueTable> & {
  project_slug: string
  project_name: string
  project_platform: string
  assignee_name: string | null
  assignee_email: string | null
  assignee_team: string | null
}

/**
 * True for all but a moment's rows, so no way to find them: bare, SQLite takes it for a range of `issue_by_events` and
 * sorts every issue of the project instead of walking the order that is asked for.
 */
export const HAS_EVENTS = sql<SqlBool>`issue.event_count + 0 > 0`

/**
 * Every issue column, with the project's name. Callers add the conditions, the grant first. An issue is made before
 * its first event is stored, in two steps of one commit: until then it is nobody's.
 */
export const selectIssues = (records: Kysely<RecordsSchema>) => allIssues(records).where(HAS_EVENTS)

/** The same for an address: an issue whose events were all deleted is at its own, in no list. Members of a merged one are not. */
export const selectNamedIssues = (records: Kysely<RecordsSchema>) =>
  allIssues(records).where('issue.id', 'not in', (eb) =>
    eb.selectFrom('issue_merge').select('issue_merge.issue_id'),
  )

const allIssues = (records: Kysely<RecordsSchema>) =>
  records
    .selectFrom('issue')
    .innerJoin('project', 'project.id', 'issue.project_id')
    .selectAll('issue')
    .select([
      'project.slug as project_slug',
      'project.name as project_name',
      'project.platform as project_platform',
    ])
    .select((eb) => [
      ofAssignee(eb).select('user.name').as('assignee_name'),
      ofAssignee(eb).select('user.email').as('assignee_email'),
      eb
        .selectFrom('team')
        .select('team.slug')
        .whereRef('team.id', '=', 'issue.assignee_team_id')
        .as('assignee_team'),
    ])

const ofAssignee = (eb: ExpressionBuilder<RecordsSchema, 'issue' | 'project'>) =>
  eb.selectFrom('user').whereRef('user.id', '=', 'issue.assignee_user_id')

export function issueRow(row: JoinedRow): IssueRow {
  return {
    id: row.id,
    shortId: `${row.project_slug.toUpperCase()}-${row.short_number}`,
    project: {
      id: row.project_id,
      slug: row.project_slug,
      name: row.project_name,
      platform: row.project_platform,
    },
    type: row.type,
    level: row.level,
    title: row.title,
    culprit: row.culprit,
    platform: row.platform,
    logger: row.logger,
    metadata: JSON.parse(row.metadata) as Record<string, string>,
    status: row.status,
    substatus: row.substatus,
    isUnhandled: row.is_unhandled === 1,
    firstSeenMs: row.first_seen_ms,
    lastSeenMs: row.last_seen_ms,
    eventCount: row.event_count,
    firstRelease: row.first_release,
    lastRelease: row.last_release,
    resolvedIn: row.resolved_in,
    resolvedRelease: row.resolved_release,
    lastEventId: row.last_event_id,
    priority: priorityNamed(row.priority),
    isPrioritySet: row.is_priority_set === 1,
    reviewReason: row.status === 'unresolved' ? row.review_reason || undefined : undefined,
    reviewMs: row.review_ms,
    assignee: assigneeRow(row),
  }
}

function assigneeRow(row: JoinedRow): Assignee | undefined {
  const { assignee_user_id: userId, assignee_team_id: teamId, assignee_email: email } = row
  if (userId !== null && email !== null)
    return { type: 'user', id: userId, name: row.assignee_name || email, email }
  return teamId === null || row.assignee_team === null
    ? undefined
    : { type: 'team', id: String(teamId), name: `#${row.assignee_team}`, email: '' }
}
