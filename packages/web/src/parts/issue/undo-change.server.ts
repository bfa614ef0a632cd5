/** What was changed can be taken back, by the lists and by the screen of one issue alike. */
import type { Grant } from '@sonde/access'
import { type IssueBefore, MAX_ISSUES_AT_ONCE, restoreIssues } from '@sonde/commands'
import { type ActionArgs, httpError } from '@sonde/router/server'
import type { ShownStatus } from './shown-status.ts'
import type { AppContext } from '../../server/app-context.server.ts'
import { readUndo, writeUndo } from './undo-text.ts'

export type Changed = {
  readonly kind: 'changed'
  readonly status: ShownStatus
  readonly count: number
  /** What the form that takes it back posts as `undo`. */
  readonly undo?: string
}
export type Undone = { readonly kind: 'undone'; readonly count: number }

export function changed(status: ShownStatus, count: number, before: readonly IssueBefore[]): Changed {
  const undo = writeUndo(status, before)
  return { kind: 'changed', status, count, ...(undo === undefined ? {} : { undo }) }
}

/** `text` as `changed` wrote it. Issues that somebody has changed since are left alone. */
export async function undoChange(
  args: ActionArgs<AppContext, 'org'>,
  grant: Grant<'event:write', 'org' | 'project'>,
  text: string,
): Promise<Undone> {
  const undo = readUndo(text)
  if (!undo) return httpError(400)
  let count = 0
  for (const { status, ids, ...was } of undo.groups) {
    for (let from = 0; from < ids.length; from += MAX_ISSUES_AT_ONCE) {
      const restored = await restoreIssues(args.context.commands, grant, {
        from: undo.from,
        to: status,
        ...was,
        ids: ids.slice(from, from + MAX_ISSUES_AT_ONCE),
      })
      count += restored.count
    }
  }
  return { kind: 'undone', count }
}
