/**
 * Notes who owns issues that are new or came back, and assigns them. Runs inside the transaction that counts their events, so
 * whoever is told of the issue is told by the assignment too.
 */
import { isDeepStrictEqual } from 'node:util'
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

/** `owner`: the open records, as in `readOwnership`. Run again it changes nothing. */
export async function noteOwners(
  tx: Records,
  issues: readonly OwnableIssue[],
  owner: object,
  nowMs: number,
): Promise<void> {
  for (const [projectId, own] of Map.groupBy(issues, (issue) => issue.projectId)) {
    const search = await ownerSearch(tx, projectId, owner)
    if (!search?.mayFind) continue
    for (const issue of own) {
      const found = await search.find(tx, issue)
      if (found)
        await keepOwners(tx, search.ownership, issue, found, { mayAssign: true, isHeld: false, nowMs })
    }
  }
}

export type OwnerSearch = {
  readonly ownership: ProjectOwnership
  /** False: there are neither rules nor commits. */
  readonly mayFind: boolean
  /** Undefined: its event cannot be read. */
  find(records: Records, issue: OwnableIssue): Promise<readonly FoundOwner[] | undefined>
}

/** Undefined: the project is gone. */
export async function ownerSearch(
  records: Records,
  projectId: number,
  owner: object,
): Promise<OwnerSearch | undefined> {
  const ownership = await readOwnership(records, projectId, owner)
  if (!ownership) return undefined
  const hasCommits = await anyCommits(records, ownership.orgId)
  return {
    ownership,
    mayFind: ownership.hasRules || hasCommits,
    async find(reader, { read, release }) {
      const event = read()
      return event && findOwners(reader, ownership, { ...event, release: hasCommits ? release : '' })
    },
  }
}

export type KeepOwners = {
  /** Also where the project assigns: of issues that nobody was ever assigned to. */
  readonly mayAssign: boolean
  readonly isHeld: boolean
  readonly nowMs: number
}
export type KeptOwners = { readonly isChanged: boolean; readonly isAssigned: boolean }

/** In a transaction. Run again it changes nothing. */
export async function keepOwners(
  tx: Records,
  ownership: ProjectOwnership,
  issue: Pick<OwnableIssue, 'issueId' | 'projectId'>,
  found: readonly FoundOwner[],
  how: KeepOwners,
): Promise<KeptOwners> {
  const isChanged = await writeOwners(tx, issue.issueId, found)
  const isAssigned = how.mayAssign && (await assign(tx, ownership, issue, found, how))
  return { isChanged, isAssigned }
}

const anyCommits = async (tx: Records, orgId: number): Promise<boolean> =>
  (await tx.selectFrom('source_commit').select('id').where('org_id', '=', orgId).limit(1).execute()).length >
  0

/** False: they were the same. */
async function writeOwners(tx: Records, issueId: number, found: readonly FoundOwner[]): Promise<boolean> {
  const rows = found.map(({ owner, kind, reason }, position) => ({
    issue_id: issueId,
    position,
    kind,
    ...columnsOf(owner),
    reason,
  }))
  const before = await tx
    .selectFrom('issue_owner')
    .select(['issue_id', 'position', 'kind', 'user_id', 'team_id', 'reason'])
    .where('issue_id', '=', issueId)
    .orderBy('position')
    .execute()
  if (
    isDeepStrictEqual(
      before.map((row) => ({ ...row })),
      rows,
    )
  )
    return false
  await tx.deleteFrom('issue_owner').where('issue_id', '=', issueId).execute()
  if (rows.length > 0) await tx.insertInto('issue_owner').values(rows).execute()
  return true
}

const columnsOf = (owner: Owner): { user_id: string | null; team_id: number | null } => ({
  user_id: owner.kind === 'user' ? owner.id : null,
  team_id: owner.kind === 'team' ? owner.id : null,
})

/** Whoever was assigned once, by a person or not, keeps it: https://docs.sentry.io/product/issues/ownership-rules/#auto-assignment */
async function assign(
  tx: Records,
  { autoAssignment }: ProjectOwnership,
  { issueId, projectId }: Pick<OwnableIssue, 'issueId' | 'projectId'>,
  found: readonly FoundOwner[],
  { isHeld, nowMs }: KeepOwners,
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
    isHeld,
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
