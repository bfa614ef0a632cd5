import type { Grant } from '@sonde/access'
import { peopleSee } from '@sonde/stores'
import { personOf } from '../person-of.ts'
import type { QueryDeps } from '../query-deps.ts'
import type { IssueRow } from './issue-row.ts'

/** Who works with an issue, as everybody who sees it is told: only people who see it too. */
export type Participant = { readonly userId: string; readonly name: string; readonly email: string }

const SHOWN = 100

/** Who is subscribed to the issue, the first first. `issue` comes from `findIssue` or `issueDetail`. */
export async function participants(
  { records }: Pick<QueryDeps, 'records'>,
  { orgId }: Grant<'event:read', 'org' | 'project'>,
  { id, project }: Pick<IssueRow, 'id' | 'project'>,
): Promise<readonly Participant[]> {
  const rows = await records
    .selectFrom('issue_subscription as subscription')
    .innerJoin('user', 'user.id', 'subscription.user_id')
    // Who left the organization is none any more.
    .innerJoin('member', 'member.user_id', 'user.id')
    .select(['user.id', 'user.name', 'user.email'])
    .where('member.org_id', '=', orgId)
    .where('subscription.issue_id', '=', id)
    .where('subscription.is_active', '=', 1)
    .where(peopleSee(project.id))
    .orderBy('subscription.created_ms')
    .limit(SHOWN)
    .execute()
  return rows.map(({ id: userId, name, email }) => ({ userId, name: name || email, email }))
}

export type SeenBy = Participant & {
  /** When they looked at it last. */
  readonly lastSeenMs: number
  readonly isMe: boolean
}

/** Who has looked at the issue, the last first. Neither who left the organization nor who does not see the project any more. */
export async function issueSeenBy(
  { records }: Pick<QueryDeps, 'records'>,
  { orgId, viewer }: Grant<'event:read', 'org' | 'project'>,
  { id, project }: Pick<IssueRow, 'id' | 'project'>,
): Promise<readonly SeenBy[]> {
  const me = personOf(viewer)
  const rows = await records
    .selectFrom('issue_view as view')
    .innerJoin('user', 'user.id', 'view.user_id')
    .innerJoin('member', 'member.user_id', 'user.id')
    .select(['user.id', 'user.name', 'user.email', 'view.at_ms'])
    .where('member.org_id', '=', orgId)
    .where('view.issue_id', '=', id)
    .where('user.disabledMs', 'is', null)
    .where(peopleSee(project.id))
    .orderBy('view.at_ms', 'desc')
    .orderBy('user.id')
    .limit(SHOWN)
    .execute()
  return rows.map(({ id: userId, name, email, at_ms: lastSeenMs }) => ({
    userId,
    name: name || email,
    email,
    lastSeenMs,
    isMe: userId === me,
  }))
}
