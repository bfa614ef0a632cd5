import type { Grant } from '@sonde/access'
import type { QueryDeps } from '../query-deps.ts'
import type { IssueRow } from './issue-row.ts'

export type Participant = { readonly userId: string; readonly name: string; readonly email: string }

const SHOWN = 100

/** Who is subscribed to the issue, the first first. `issue` comes from `findIssue` or `issueDetail`. */
export async function participants(
  { records }: Pick<QueryDeps, 'records'>,
  { orgId }: Grant<'event:read', 'org' | 'project'>,
  { id }: Pick<IssueRow, 'id'>,
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
    .orderBy('subscription.created_ms')
    .limit(SHOWN)
    .execute()
  return rows.map(({ id: userId, name, email }) => ({ userId, name: name || email, email }))
}
