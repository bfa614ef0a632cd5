/** Assigns issues to a member or a team of their organization: those that are named, or all that match. */
import { actorOf, type Grant } from '@sonde/access'
import {
  assigneeColumns,
  assigneeOf,
  type AssigneeText,
  noteIssueChanges,
  readAssignee,
  type Records,
  seesProject,
  teamSeesProject,
  subscribe,
  writeTransaction,
} from '@sonde/stores'
import { sql } from 'kysely'
import { z } from 'zod'
import { nameOf, writeAudit } from '../audit.ts'
import type { CommandDeps } from '../command-deps.ts'
import { InvalidInput, readInput } from '../fields.ts'
import {
  type ChangedMatching,
  followed,
  grantedIssues,
  inSteps,
  issueIdsField,
  stillThere,
} from './many-issues.ts'
import { writeFieldUndo } from './undo-text.ts'

type WriteGrant = Grant<'event:write', 'org' | 'project'>

const INPUT = z.object({
  ids: issueIdsField,
  assignee: z.string().max(300, 'is too long'),
})

export type AssignIssuesInput = {
  readonly ids: readonly number[]
  /**
   * `user:ID`, `team:ID`, the address or the name of a member, `#slug` of a team, `me`. Empty: to nobody. As Sentry's
   * `assignedTo`: https://docs.sentry.io/api/events/bulk-mutate-a-list-of-issues/
   */
  readonly assignee: string
}

export type AssignedIssues = {
  /** Who has them now. */
  readonly assignee: AssigneeText
  readonly ids: readonly number[]
  /** Of those that changed. */
  readonly before: readonly { readonly id: number; readonly value: AssigneeText }[]
  /** For `undoIssues`. Undefined: there is nothing to undo, or too much. */
  readonly undo: string | undefined
}

/**
 * Returns the ids that exist within the grant (`followed`). Idempotent: what is assigned so already is left alone. Who is assigned, alone
 * or in a team, is subscribed. Throws `InvalidInput` for somebody who is no member, and a team of elsewhere.
 */
export async function assignIssues(
  deps: CommandDeps,
  grant: WriteGrant,
  input: AssignIssuesInput,
): Promise<AssignedIssues> {
  const { ids, assignee: text } = readInput('assign issues', INPUT, input)
  const atMs = deps.clock.nowMs()
  return writeTransaction(deps.records, async (tx) => {
    const assignee = await knownAssignee(tx, grant, text)
    const rows = await grantedIssues(tx, grant, await followed(tx, ids))
      .select(ASSIGNED)
      .execute()
    const others = rows.filter((row) => assigneeOf(row) !== assignee)
    await mustSee(tx, assignee, others)
    await assign(tx, grant, others, assignee, atMs)
    const before = others.map((row) => ({ id: row.id, value: assigneeOf(row) }))
    return {
      assignee,
      ids: rows.map(({ id }) => id),
      before,
      undo: writeFieldUndo('assignee', assignee, before),
    }
  })
}

/** All that `find` finds, in steps: it leaves out what is assigned so already. */
export async function assignMatchingIssues(
  deps: CommandDeps,
  grant: WriteGrant,
  assignee: string,
  find: (assignee: AssigneeText) => Promise<readonly number[]>,
): Promise<ChangedMatching> {
  const known = await knownAssignee(deps.records, grant, assignee)
  const { before, ...changed } = await inSteps(
    () => find(known),
    (ids) => assignIssues(deps, grant, { ids, assignee: known }),
  )
  return { ...changed, undo: writeFieldUndo('assignee', known, before) }
}

/** Back to whom they were assigned before; what somebody has assigned to another since is left alone. */
export async function restoreAssignee(
  deps: CommandDeps,
  grant: WriteGrant,
  { ids, from, to }: { readonly ids: readonly number[]; readonly from: string; readonly to: string },
): Promise<{ readonly count: number }> {
  return writeTransaction(deps.records, async (tx) => {
    const assignee = await findAssignee(tx, grant, to)
    if (assignee === undefined) return { count: 0 }
    const rows = await grantedIssues(tx, grant, await stillThere(tx, ids))
      .select(ASSIGNED)
      .execute()
    const others = rows.filter((row) => assigneeOf(row) === from && from !== assignee)
    await assign(tx, grant, others, assignee, deps.clock.nowMs())
    return { count: others.length }
  })
}

/** Who does not see the project, alone or as a team, could not open what they are given. Throws `InvalidInput`. */
async function mustSee(tx: Records, assignee: AssigneeText, rows: readonly AssignedRow[]): Promise<void> {
  const { assignee_user_id: userId, assignee_team_id: teamId } = assigneeColumns(assignee)
  const projectIds = [...new Set(rows.map((row) => row.project_id))]
  if ((userId === null && teamId === null) || projectIds.length === 0) return
  const project = sql.ref('project.id')
  const hidden = await tx
    .selectFrom('project')
    .select('slug')
    .where('id', 'in', projectIds)
    .where(({ not }) =>
      not(teamId === null ? seesProject(sql`${userId}`, project) : teamSeesProject(sql`${teamId}`, project)),
    )
    .executeTakeFirst()
  if (hidden)
    throw new InvalidInput('assign issues', {
      assignedTo: [
        teamId === null
          ? `this member does not see the project ${hidden.slug}: add them to a team that has it`
          : `this team does not see the project ${hidden.slug}: add the project to the team`,
      ],
    })
}

const ASSIGNED = ['issue.id', 'issue.project_id', 'issue.assignee_user_id', 'issue.assignee_team_id'] as const

type AssignedRow = {
  readonly id: number
  readonly project_id: number
  readonly assignee_user_id: string | null
  readonly assignee_team_id: number | null
}

async function assign(
  tx: Records,
  grant: WriteGrant,
  rows: readonly AssignedRow[],
  assignee: AssigneeText,
  atMs: number,
): Promise<void> {
  if (rows.length === 0) return
  const ids = rows.map(({ id }) => id)
  await tx.updateTable('issue').set(assigneeColumns(assignee)).where('id', 'in', ids).execute()
  await noteAssigned(tx, rows, assignee, actorOf(grant.viewer), atMs)
  await subscribe(tx, { issueIds: ids, userIds: await peopleOf(tx, assignee) }, 'assigned', atMs)
  await writeAudit(tx, {
    orgId: grant.orgId,
    viewer: grant.viewer,
    action: assignee === '' ? 'issue.unassign' : 'issue.assign',
    subject: nameOf(grant),
    detail: { count: ids.length, ...(assignee !== '' && { assignee }), ids: ids.slice(0, 100) },
    atMs,
  })
}

function noteAssigned(
  tx: Records,
  rows: readonly AssignedRow[],
  assignee: AssigneeText,
  actor: string,
  atMs: number,
): Promise<void> {
  const changes = rows.map((row) => ({
    projectId: row.project_id,
    issueId: row.id,
    kind: assignee === '' ? ('unassigned' as const) : ('assigned' as const),
    actor,
    detail: { ...(assignee !== '' && { assignee }), before: assigneeOf(row) },
  }))
  return noteIssueChanges(tx, changes, atMs)
}

/** The person, or everybody in the team. */
async function peopleOf(tx: Records, assignee: AssigneeText): Promise<readonly string[]> {
  const { assignee_user_id: user, assignee_team_id: team } = assigneeColumns(assignee)
  if (team === null) return user === null ? [] : [user]
  const members = await tx.selectFrom('team_member').select('user_id').where('team_id', '=', team).execute()
  return members.map(({ user_id: id }) => id)
}

/**
 * Whoever leaves an organization, or a team that is deleted, has no issues of it any more. In the transaction that ends the
 * membership or the team, and before it.
 */
export async function unassignAll(
  tx: Records,
  {
    orgId,
    assignee,
    actor,
    atMs,
  }: {
    readonly orgId: number
    readonly assignee: AssigneeText
    readonly actor: string
    readonly atMs: number
  },
): Promise<{ readonly unassigned: number }> {
  const { assignee_user_id: user, assignee_team_id: team } = assigneeColumns(assignee)
  const rows = await tx
    .updateTable('issue')
    .set(assigneeColumns(''))
    .where((eb) => (user === null ? eb('assignee_team_id', '=', team) : eb('assignee_user_id', '=', user)))
    .where('project_id', 'in', (eb) => eb.selectFrom('project').select('id').where('org_id', '=', orgId))
    .returning(['id', 'project_id'])
    .execute()
  const were = rows.map((row) => ({ ...row, assignee_user_id: user, assignee_team_id: team }))
  await noteAssigned(tx, were, '', actor, atMs)
  return { unassigned: rows.length }
}

async function knownAssignee(records: Records, grant: WriteGrant, text: string): Promise<AssigneeText> {
  const found = await findAssignee(records, grant, text)
  if (found !== undefined) return found
  const who = text.trim() === 'me' ? 'is you, and you are no member' : `"${text}" is no member and no team`
  throw new InvalidInput('assign issues', {
    assignedTo: [`${who} of "${grant.orgSlug}"; say an address, user:ID, team:ID, #team or me`],
  })
}

/** Undefined: nobody of this organization. */
async function findAssignee(
  records: Records,
  { orgId, viewer }: WriteGrant,
  given: string,
): Promise<AssigneeText | undefined> {
  const text = given.trim()
  if (text === '') return ''
  const exact = readAssignee(text)
  if (text.startsWith('#') || exact?.startsWith('team:')) {
    const team = await records
      .selectFrom('team')
      .select('id')
      .where('org_id', '=', orgId)
      .where((eb) =>
        text.startsWith('#') ? eb('slug', '=', text.slice(1)) : eb('id', '=', Number(text.slice(5))),
      )
      .executeTakeFirst()
    return team && `team:${team.id}`
  }
  const id =
    exact?.slice(5) ?? (text === 'me' && viewer.kind !== 'operator' ? (viewer.userId ?? '') : undefined)
  const people = await records
    .selectFrom('member')
    .innerJoin('user', 'user.id', 'member.user_id')
    .select(['user.id', 'user.email'])
    .where('member.org_id', '=', orgId)
    .where((eb) =>
      id === undefined
        ? eb.or([
            eb('user.email', '=', text.toLowerCase()),
            eb('user.name', '=', text),
            eb('user.id', '=', text),
          ])
        : eb('user.id', '=', id),
    )
    .limit(2)
    .execute()
  // An address is one person's; a name may be several people's.
  const named = people.find(({ email }) => email === text.toLowerCase()) ?? people[0]
  if (!named || (people.length > 1 && named.email !== text.toLowerCase())) return undefined
  return `user:${named.id}`
}
