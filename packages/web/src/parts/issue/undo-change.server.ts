/** What was changed can be taken back, by the lists and by the screen of one issue alike. */
import type { Grant } from '@sonde/access'
import { InvalidInput, undoIssues, type UndoIssuesInput } from '@sonde/commands'
import { type ActionArgs, httpError } from '@sonde/router/server'
import type { AppContext } from '../../server/app-context.server.ts'
import type { ShownStatus } from './shown-status.ts'

export type Changed = {
  readonly kind: 'changed'
  readonly status: ShownStatus
  readonly count: number
  /** What the form that takes it back posts as `undo`. */
  readonly undo?: string
}
export type Undone = { readonly kind: 'undone'; readonly count: number }

export const changed = (status: ShownStatus, count: number, undo: string | undefined): Changed => ({
  kind: 'changed',
  status,
  count,
  ...(undo === undefined ? {} : { undo }),
})

export async function undoChange(
  args: ActionArgs<AppContext, 'org'>,
  grant: Grant<'event:write', 'org' | 'project'>,
  input: UndoIssuesInput,
): Promise<Undone> {
  try {
    return { kind: 'undone', ...(await undoIssues(args.context.commands, grant, input)) }
  } catch (error) {
    if (error instanceof InvalidInput) return httpError(400)
    throw error
  }
}
