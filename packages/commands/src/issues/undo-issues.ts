/** Takes a change to issues back: each returns to the state that it had. For the lists, an issue's screen and the API. */
import { actorOf, type Grant } from '@sonde/access'
import {
  inProjects,
  ISSUE_STATUSES,
  type IssueStatus,
  noteIssueChanges,
  writeTransaction,
} from '@sonde/stores'
import { z } from 'zod'
import { nameOf, writeAudit } from '../audit.ts'
import type { CommandDeps } from '../command-deps.ts'
import { InvalidInput, readInput } from '../fields.ts'
import { readMergeUndo, unmergeIssues } from '../moves/merge-issues.ts'
import { restoreAssignee } from './assign-issues.ts'
import { MAX_ISSUES_AT_ONCE, stillThere } from './many-issues.ts'
import { PRIORITY_CHOICES, setPriority } from './set-priority.ts'
import { type FieldUndo, readUndos, type Undo } from './undo-text.ts'
import { CHANGE_OF } from './update-issues.ts'

export type UndoIssuesInput = {
  /** As the change answered it. */
  readonly undo: string
  /** Takes back only what the change did to this issue. */
  readonly issueId?: number | undefined
}

/**
 * Returns how many went back. What somebody has changed since is left alone, and so is what the grant does not cover,
 * whatever the text says. Throws `InvalidInput` for text that no change answered.
 */
export async function undoIssues(
  deps: CommandDeps,
  grant: Grant<'event:write', 'org' | 'project'>,
  { undo: text, issueId }: UndoIssuesInput,
): Promise<{ readonly count: number }> {
  const merge = readMergeUndo(text)
  if (merge) return { count: await unmergeIssues(deps, grant, merge) }
  const undos = readUndos(text)
  if (!undos) throw new InvalidInput('undo a change', { undo: ['is not what a change to issues answered'] })
  let count = 0
  for (const undo of undos) {
    const undone = await ('field' in undo
      ? undoField(deps, grant, undo, issueId)
      : undoState(deps, grant, undo, issueId))
    count = Math.max(count, undone.count)
  }
  return { count }
}

async function undoState(
  deps: CommandDeps,
  grant: Grant<'event:write', 'org' | 'project'>,
  { from: state, groups }: Undo,
  issueId: number | undefined,
): Promise<{ readonly count: number }> {
  let count = 0
  for (const { status, ids: all, ...was } of groups) {
    const ids = issueId === undefined ? all : all.filter((id) => id === issueId)
    for (let from = 0; from < ids.length; from += MAX_ISSUES_AT_ONCE) {
      const restored = await restoreIssues(deps, grant, {
        from: state,
        to: status,
        ...was,
        ids: ids.slice(from, from + MAX_ISSUES_AT_ONCE),
      })
      count += restored.count
    }
  }
  return { count }
}

/** Who has left since, and a team that is gone, get nothing back. */
async function undoField(
  deps: CommandDeps,
  grant: Grant<'event:write', 'org' | 'project'>,
  { field, to, groups }: FieldUndo,
  issueId: number | undefined,
): Promise<{ readonly count: number }> {
  let count = 0
  for (const { value, ids: all } of groups) {
    const ids = issueId === undefined ? all : all.filter((id) => id === issueId)
    for (let from = 0; from < ids.length; from += MAX_ISSUES_AT_ONCE) {
      const step = ids.slice(from, from + MAX_ISSUES_AT_ONCE)
      const restored =
        field === 'assignee'
          ? await restoreAssignee(deps, grant, { ids: step, from: to, to: value })
          : await restorePriority(deps, grant, { ids: step, from: to, to: value })
      count += restored.count
    }
  }
  return { count }
}

async function restorePriority(
  deps: CommandDeps,
  grant: Grant<'event:write', 'org' | 'project'>,
  { ids, from, to }: { readonly ids: readonly number[]; readonly from: string; readonly to: string },
): Promise<{ readonly count: number }> {
  const priority = PRIORITY_CHOICES.find((choice) => choice === to)
  if (!priority) throw new InvalidInput('undo a change', { undo: ['names a priority that is none'] })
  return { count: (await setPriority(deps, grant, { ids, priority }, from)).before.length }
}

const RESTORE_INPUT = z.object({
  from: z.enum(ISSUE_STATUSES),
  to: z.enum(ISSUE_STATUSES),
  substatus: z
    .string()
    .max(32)
    .regex(/^[a-z_]*$/),
  resolvedIn: z.enum(['', 'release', 'next_release']).default(''),
  resolvedRelease: z.string().max(200).default(''),
  ids: z.array(z.int().positive()).min(1).max(MAX_ISSUES_AT_ONCE),
})

type RestoreIssuesInput = {
  /** What the change had made of them: issues that somebody has changed since are left alone. */
  readonly from: IssueStatus
  readonly to: IssueStatus
  /** As it was before: `new`, `ongoing`, `regressed`, … */
  readonly substatus: string
  /** What it was resolved in; absent: nothing was said of it. */
  readonly resolvedIn?: '' | 'release' | 'next_release' | undefined
  readonly resolvedRelease?: string | undefined
  readonly ids: readonly number[]
}

/** Returns how many went back. Throws `InvalidInput`. */
async function restoreIssues(
  deps: CommandDeps,
  grant: Grant<'event:write', 'org' | 'project'>,
  input: RestoreIssuesInput,
): Promise<{ readonly count: number }> {
  const { from, to, substatus, ids, ...was } = readInput('restore issues', RESTORE_INPUT, input)
  return writeTransaction(deps.records, async (tx) => {
    const named = await stillThere(tx, ids)
    const restored = await tx
      .updateTable('issue')
      .set({ status: to, substatus, resolved_in: was.resolvedIn, resolved_release: was.resolvedRelease })
      .where('id', 'in', named.ids)
      .where('status', '=', from)
      .where('project_id', 'in', (eb) => eb.selectFrom('project').select('id').where(inProjects(grant)))
      .returning(['id', 'project_id'])
      .execute()
    const count = restored.length
    if (count > 0) {
      const atMs = deps.clock.nowMs()
      const actor = actorOf(grant.viewer)
      if (from !== to)
        await noteIssueChanges(
          tx,
          restored.map((row) => ({ projectId: row.project_id, issueId: row.id, kind: CHANGE_OF[to], actor })),
          atMs,
        )
      await writeAudit(tx, {
        orgId: grant.orgId,
        viewer: grant.viewer,
        action: 'issue.undo',
        subject: nameOf(grant),
        detail: { count, from, to, ids: ids.slice(0, 100) },
        atMs,
      })
    }
    return { count }
  })
}
