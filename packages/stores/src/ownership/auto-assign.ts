/**
 * Notes who owns issues that are new or came back, and assigns them. Runs inside the transaction that counts their events, so
 * whoever is told of the issue is told by the assignment too.
 */
import type { NormalizedEvent } from '@sonde/protocol/event'
import { type IssueChange, noteIssueChanges } from '../records/issue-changes.ts'
import { subscribe } from '../records/issue-subscriptions.ts'
import type { Records } from '../records/schema.ts'
import { findOwners, type FoundOwner } from './find-owners.ts'
import { type Owner, type ProjectOwnership, readOwnership } from './project-ownership.ts'

export type OwnableIssue = {
  readonly issueId: number
  readonly projectId: number
  /** That brought it, or brought it back; empty: none is known. */
  readonly release: string
  /** The newest that did. Asked only where somebody may own it; undefined: it cannot be read. */
  readonly read: () =>
    | { readonly event: NormalizedEvent; readonly tags: Readonly<Record<string, string>> }
    | undefined
}

/** `owner`: the open records, as in `readOwnership`. Returns the issues that were assigned. Run again it changes nothing. */
export async function noteOwners(
  tx: Records,
  issues: readonly OwnableIssue[],
  owner: object,
  nowMs: number,
): Promise<readonly number[]> {
  const assigned: number[] = []
  for (const [projectId, own] of Map.groupBy(issues, (issue) => issue.projectId)) {
    const ownership = await readOwnership(tx, projectId, owner)
    if (!ownership) continue
    const hasCommits = await anyCommits(tx, ownership.orgId)
    if (!ownership.hasRules && !hasCommits) continue
    for (const issue of own) {
      const read = issue.read()
      if (!read) continue
      const found = await findOwners(tx, ownership, { ...read, release: hasCommits ? issue.release : '' })
      await writeOwners(tx, issue.issueId, found)
      if (await assign(tx, ownership, issue, found, nowMs)) assigned.push(issue.issueId)
    }
  }
  return assigned
}

const anyCommits = async (tx: Records, orgId: number): Promise<boolean> =>
  (await tx.selectFrom('source_commit').select('id').where('org_id', '=', orgId).limit(1).execute()).length >
  0

async function writeOwners(tx: Records, issueId: number, found: readonly FoundOwner[]): Promise<void> {
  await tx.deleteFrom('issue_owner').where('issue_id', '=', issueId).execute()
  if (found.length === 0) return
  await tx
    .insertInto('issue_owner')
    .values(
      found.map(({ owner, kind, reason }, position) => ({
        issue_id: issueId,
        position,
        kind,
        ...columnsOf(owner),
        reason,
      })),
    )
    .execute()
}

const columnsOf = (owner: Owner): { user_id: string | null; team_id: number | null } => ({
  user_id: owner.kind === 'user' ? owner.id : null,
  team_id: owner.kind === 'team' ? owner.id : null,
})

/** Whoever was assigned once, by a person or not, keeps it: https://docs.sentry.io/product/issues/ownership-rules/#auto-assignment */
async function assign(
  tx: Records,
  { autoAssignment }: ProjectOwnership,
  { issueId, projectId }: OwnableIssue,
  found: readonly FoundOwner[],
  nowMs: number,
): Promise<boolean> {
  const [first] =
    autoAssignment === 'suspect_commits' ? found : found.filter(({ kind }) => kind !== 'suspect_commit')
  if (!first || autoAssignment === 'off' || (await wasAssigned(tx, issueId))) return false
  const { user_id: user, team_id: team } = columnsOf(first.owner)
  const done = await tx
    .updateTable('issue')
    .set({ assignee_user_id: user, assignee_team_id: team })
    .where('id', '=', issueId)
    .where('assignee_user_id', 'is', null)
    .where('assignee_team_id', 'is', null)
    .returning('id')
    .executeTakeFirst()
  if (!done) return false
  const change: IssueChange = {
    projectId,
    issueId,
    kind: 'assigned',
    detail: {
      assignee: `${first.owner.kind}:${first.owner.id}`,
      by: first.kind,
      ...(first.kind === 'suspect_commit' ? { commit: first.reason } : { rule: first.reason.slice(0, 300) }),
    },
  }
  await noteIssueChanges(tx, [change], nowMs)
  const people = team === null ? [user ?? ''] : await membersOfTeam(tx, team)
  await subscribe(tx, { issueIds: [issueId], userIds: people }, 'assigned', nowMs)
  return true
}

async function wasAssigned(tx: Records, issueId: number): Promise<boolean> {
  const before = await tx
    .selectFrom('issue_change')
    .select('id')
    .where('issue_id', '=', issueId)
    .where('kind', 'in', ['assigned', 'unassigned'])
    .limit(1)
    .executeTakeFirst()
  return before !== undefined
}

async function membersOfTeam(tx: Records, teamId: number): Promise<readonly string[]> {
  const rows = await tx.selectFrom('team_member').select('user_id').where('team_id', '=', teamId).execute()
  return rows.map(({ user_id: id }) => id)
}
