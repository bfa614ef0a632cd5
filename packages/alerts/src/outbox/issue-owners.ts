/** Whom a rule means by the owners of an issue. https://docs.sentry.io/product/alerts/create-alerts/issue-alert-config/ */
import { DEFAULT_OWNERSHIP, peopleSee, type Records } from '@sonde/stores'
import type { WithoutOwners } from '../contract.ts'

type Asked = {
  readonly orgId: number
  readonly projectId: number
  readonly issueId: number
  /** Undefined: as the project's ownership says. */
  readonly otherwise: WithoutOwners | undefined
  readonly nowMs: number
}

const ACTIVE_MS = 30 * 86_400_000

/**
 * People by their ids: who has the issue, suspect committers, and all owners by the rule that decides, each team as those who
 * are in it. Where there is nobody: what the rule says instead. `members`: everybody.
 */
export async function ownersTold(tx: Records, asked: Asked): Promise<readonly string[] | 'members'> {
  const owners = await ownersOf(tx, asked)
  if (owners.length > 0) return owners
  const otherwise = asked.otherwise ?? (await projectsChoice(tx, asked.projectId))
  if (otherwise === 'nobody') return []
  return otherwise === 'members' ? 'members' : activeMembers(tx, asked)
}

/** Who of them does not see the project any more is nobody: else nobody would be told instead. */
async function ownersOf(tx: Records, { projectId, issueId }: Asked): Promise<readonly string[]> {
  const issue = await tx
    .selectFrom('issue')
    .select(['assignee_user_id', 'assignee_team_id'])
    .where('id', '=', issueId)
    .executeTakeFirst()
  const found = await tx
    .selectFrom('issue_owner')
    .select(['kind', 'user_id', 'team_id', 'reason'])
    .where('issue_id', '=', issueId)
    .orderBy('position')
    .execute()
  // Rules that were overruled stay suggestions.
  const deciding = found.find(({ kind }) => kind !== 'suspect_commit')?.reason
  const owners = [
    ...(issue ? [{ user_id: issue.assignee_user_id, team_id: issue.assignee_team_id }] : []),
    ...found.filter(({ kind, reason }) => kind === 'suspect_commit' || reason === deciding),
  ]
  const teamIds = [...new Set(owners.flatMap(({ team_id: id }) => (id === null ? [] : [id])))]
  const inTeams =
    teamIds.length === 0
      ? []
      : await tx.selectFrom('team_member').select('user_id').where('team_id', 'in', teamIds).execute()
  const people = [...owners, ...inTeams].flatMap(({ user_id: id }) => (id === null ? [] : [id]))
  if (people.length === 0) return []
  const rows = await tx
    .selectFrom('user')
    .select('user.id')
    .where('user.id', 'in', [...new Set(people)])
    .where('user.disabledMs', 'is', null)
    .where(peopleSee(projectId))
    .execute()
  return rows.map(({ id }) => id)
}

async function projectsChoice(tx: Records, projectId: number): Promise<WithoutOwners> {
  const row = await tx
    .selectFrom('project_ownership')
    .select('is_for_all')
    .where('project_id', '=', projectId)
    .executeTakeFirst()
  return (row ? row.is_for_all === 1 : DEFAULT_OWNERSHIP.isForAll) ? 'members' : 'nobody'
}

/** Who had a session within 30 days. */
async function activeMembers(tx: Records, { orgId, nowMs }: Asked): Promise<readonly string[]> {
  const rows = await tx
    .selectFrom('member')
    .innerJoin('session', 'session.userId', 'member.user_id')
    .select('member.user_id')
    .distinct()
    .where('member.org_id', '=', orgId)
    .where('session.updatedAt', '>=', new Date(nowMs - ACTIVE_MS).toISOString())
    .execute()
  return rows.map(({ user_id: id }) => id)
}
