/**
 * Whom a change of an issue concerns, and why: https://docs.sentry.io/product/alerts/notifications/#workflow-notifications. Within the
 * transaction that tells them.
 */
import { peopleOfProject } from '@sonde/access'
import type { Records, SubscriptionReason } from '@sonde/stores'

export type ToldChange = {
  readonly id: number
  readonly issue_id: number
  readonly project_id: number
  readonly org_id: number
  /** `actorOf` who did it; empty: an event. */
  readonly actor: string
}

export type ConcernReason = Exclude<SubscriptionReason, 'assigned'> | 'assigned' | 'team_assigned'

/** Nobody may be told who may not see the project, and nobody of what they did themselves. */
export type Concern = { readonly userId: string; readonly reason: ConcernReason }

/** Change → people, each once. Some reads for all of them, and one for each project. */
export async function concernedBy(
  tx: Records,
  changes: readonly ToldChange[],
): Promise<ReadonlyMap<number, readonly Concern[]>> {
  const issueIds = [...new Set(changes.map(({ issue_id }) => issue_id))]
  const [subscribed, assigned, mentioned, actors, seeing] = [
    await subscribersOf(tx, issueIds),
    await assigneesOf(tx, issueIds),
    await mentionedBy(
      tx,
      changes.map(({ id }) => id),
    ),
    await peopleBehind(
      tx,
      changes.map(({ actor }) => actor),
    ),
    await seeingPeople(tx, changes),
  ]
  return new Map(
    changes.map(({ id, issue_id, project_id, actor }) => {
      const found = new Map<string, ConcernReason>()
      // The strongest reason first: it is the one that a mail says, and that `involved` looks at.
      const named = [...(mentioned.get(id) ?? []), ...(assigned.get(issue_id) ?? [])]
      for (const { userId, reason } of [...named, ...(subscribed.get(issue_id) ?? [])])
        if (!found.has(userId)) found.set(userId, reason)
      const self = actors.get(actor)
      return [
        id,
        [...found]
          .filter(([userId]) => userId !== self && seeing.get(project_id)?.has(userId))
          .map(([userId, reason]) => ({ userId, reason })),
      ]
    }),
  )
}

type ByIssue = ReadonlyMap<number, readonly Concern[]>

async function subscribersOf(tx: Records, issueIds: readonly number[]): Promise<ByIssue> {
  const rows = await tx
    .selectFrom('issue_subscription')
    .select(['issue_id', 'user_id as userId', 'reason'])
    .where('issue_id', 'in', issueIds)
    .where('is_active', '=', 1)
    .execute()
  return Map.groupBy(rows, (row) => row.issue_id)
}

/** Who has the issue and is subscribed to it: assigning subscribes, and who unsubscribed since does not want to hear of it. */
async function assigneesOf(tx: Records, issueIds: readonly number[]): Promise<ByIssue> {
  const wanted = tx
    .selectFrom('issue')
    .innerJoin('issue_subscription', (join) =>
      join.onRef('issue_subscription.issue_id', '=', 'issue.id').on('issue_subscription.is_active', '=', 1),
    )
    .where('issue.id', 'in', issueIds)
  const people = await wanted
    .select(['issue.id as issueId', 'issue_subscription.user_id as userId'])
    .whereRef('issue_subscription.user_id', '=', 'issue.assignee_user_id')
    .execute()
  const members = await wanted
    .innerJoin('team_member', (join) =>
      join
        .onRef('team_member.team_id', '=', 'issue.assignee_team_id')
        .onRef('team_member.user_id', '=', 'issue_subscription.user_id'),
    )
    .select(['issue.id as issueId', 'issue_subscription.user_id as userId'])
    .execute()
  return Map.groupBy(
    [
      ...people.map((row) => ({ ...row, reason: 'assigned' as const })),
      ...members.map((row) => ({ ...row, reason: 'team_assigned' as const })),
    ],
    ({ issueId }) => issueId,
  )
}

async function mentionedBy(tx: Records, changeIds: readonly number[]): Promise<ByIssue> {
  const people = await tx
    .selectFrom('comment_mention')
    .select(['change_id', 'user_id as userId'])
    .where('change_id', 'in', changeIds)
    .where('user_id', 'is not', null)
    .$narrowType<{ userId: string }>()
    .execute()
  const members = await tx
    .selectFrom('comment_mention')
    .innerJoin('team_member', 'team_member.team_id', 'comment_mention.team_id')
    .innerJoin('issue_change', 'issue_change.id', 'comment_mention.change_id')
    // The comment subscribed them, but for who had unsubscribed: only their own name brings them back.
    .innerJoin('issue_subscription', (join) =>
      join
        .onRef('issue_subscription.issue_id', '=', 'issue_change.issue_id')
        .onRef('issue_subscription.user_id', '=', 'team_member.user_id')
        .on('issue_subscription.is_active', '=', 1),
    )
    .select(['comment_mention.change_id', 'team_member.user_id as userId'])
    .where('comment_mention.change_id', 'in', changeIds)
    .execute()
  return Map.groupBy(
    [
      ...people.map((row) => ({ ...row, reason: 'mentioned' as const })),
      ...members.map((row) => ({ ...row, reason: 'team_mentioned' as const })),
    ],
    (row) => row.change_id,
  )
}

/** `user:ID`, and the person who made a token. */
async function peopleBehind(tx: Records, actors: readonly string[]): Promise<ReadonlyMap<string, string>> {
  const idsOf = (kind: string): string[] => [
    ...new Set(actors.filter((actor) => actor.startsWith(kind)).map((actor) => actor.slice(kind.length))),
  ]
  const tokenIds = idsOf('token:').map(Number)
  const tokens =
    tokenIds.length === 0
      ? []
      : await tx.selectFrom('api_token').select(['id', 'user_id']).where('id', 'in', tokenIds).execute()
  return new Map([
    ...idsOf('user:').map((userId) => [`user:${userId}`, userId] as const),
    ...tokens.flatMap(({ id, user_id }) => (user_id === null ? [] : [[`token:${id}`, user_id] as const])),
  ])
}

async function seeingPeople(
  tx: Records,
  changes: readonly ToldChange[],
): Promise<ReadonlyMap<number, ReadonlySet<string>>> {
  const projects = new Map(changes.map(({ project_id, org_id }) => [project_id, org_id]))
  const found = new Map<number, ReadonlySet<string>>()
  for (const [projectId, orgId] of projects) {
    const people = await peopleOfProject(tx, { orgId, projectId })
    found.set(projectId, new Set(people.map(({ userId }) => userId)))
  }
  return found
}
