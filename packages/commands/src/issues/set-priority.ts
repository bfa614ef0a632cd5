/** Says how soon issues are to be looked at, against the rule or by it again. */
import { actorOf, type Grant } from '@sonde/access'
import {
  type IssueChange,
  noteIssueChanges,
  PRIORITIES,
  type Priority,
  PRIORITY_VALUES,
  priorityNamed,
  priorityOf,
  writeTransaction,
} from '@sonde/stores'
import { z } from 'zod'
import { nameOf, writeAudit } from '../audit.ts'
import type { CommandDeps } from '../command-deps.ts'
import { readInput } from '../fields.ts'
import { followed, grantedIssues, issueIdsField, stillThere } from './many-issues.ts'
import { writeFieldUndo } from './undo-text.ts'

/** `rule`: whatever the rule says, also when it says something else later. */
export const PRIORITY_CHOICES = [...PRIORITIES, 'rule'] as const
export type PriorityChoice = (typeof PRIORITY_CHOICES)[number]

const INPUT = z.object({
  ids: issueIdsField,
  priority: z.enum(PRIORITY_CHOICES, { error: `is one of ${PRIORITY_CHOICES.join(', ')}` }),
})

export type SetPriorityInput = { readonly ids: readonly number[]; readonly priority: PriorityChoice }

/**
 * Returns the ids that exist within the grant (`followed`). What has the priority already by somebody's word is left alone; events do not
 * change it any more. `onlyFrom`, for an undo: only issues of that choice. Throws `InvalidInput`.
 */
export async function setPriority(
  deps: CommandDeps,
  grant: Grant<'event:write', 'org' | 'project'>,
  input: SetPriorityInput,
  onlyFrom?: string,
): Promise<{
  readonly ids: readonly number[]
  readonly before: readonly { readonly id: number; readonly value: PriorityChoice }[]
  readonly undo: string | undefined
}> {
  const { ids, priority: choice } = readInput('set the priority', INPUT, input)
  const atMs = deps.clock.nowMs()
  const actor = actorOf(grant.viewer)
  return writeTransaction(deps.records, async (tx) => {
    const named = await (onlyFrom === undefined ? followed : stillThere)(tx, ids)
    const rows = await grantedIssues(tx, grant, named)
      .select(['issue.id', 'issue.project_id', 'issue.priority', 'issue.is_priority_set'])
      .select(['issue.level', 'issue.is_unhandled', 'issue.substatus'])
      .execute()
    const before: { id: number; value: PriorityChoice }[] = []
    const changes: IssueChange[] = []
    const byPriority = new Map<Priority, number[]>()
    for (const row of rows) {
      const was = row.is_priority_set === 1 ? priorityNamed(row.priority) : 'rule'
      if (was === choice || (onlyFrom !== undefined && was !== onlyFrom)) continue
      before.push({ id: row.id, value: was })
      const { level, is_unhandled: isUnhandled, substatus } = row
      const ruled = priorityOf({
        level,
        isUnhandled: isUnhandled === 1,
        isEscalating: substatus === 'escalating',
      })
      const priority = choice === 'rule' ? ruled : choice
      byPriority.set(priority, [...(byPriority.get(priority) ?? []), row.id])
      if (PRIORITY_VALUES[priority] === row.priority) continue
      const detail = { priority, before: priorityNamed(row.priority) }
      changes.push({ projectId: row.project_id, issueId: row.id, kind: 'priority_changed', actor, detail })
    }
    for (const [priority, own] of byPriority)
      await tx
        .updateTable('issue')
        .set({ priority: PRIORITY_VALUES[priority], is_priority_set: choice === 'rule' ? 0 : 1 })
        .where('id', 'in', own)
        .execute()
    await noteIssueChanges(tx, changes, atMs)
    if (before.length > 0)
      await writeAudit(tx, {
        orgId: grant.orgId,
        viewer: grant.viewer,
        action: 'issue.priority',
        subject: nameOf(grant),
        detail: { count: before.length, priority: choice, ids: before.slice(0, 100).map(({ id }) => id) },
        atMs,
      })
    const undo = writeFieldUndo('priority', choice, before)
    return { ids: rows.map(({ id }) => id), before, undo }
  })
}
