/** What one press on the screens of issues asks for, from the form that it posts: the lists and the screen of one issue alike. */
import type { Grant } from '@sonde/access'
import { InvalidInput, type IssuesChange, undoIssues, type UndoIssuesInput } from '@sonde/commands'
import { assigneeChoices } from '@sonde/queries'
import { type ActionArgs, httpError } from '@sonde/router/server'
import type { AppContext } from '../../server/app-context.server.ts'
import { isShownStatus, STATUS_DEEDS } from './shown-status.ts'

type WriteGrant = Grant<'event:write', 'org' | 'project'>

export type Changed = {
  readonly kind: 'changed'
  /** `resolved`, `assigned to Ada`. */
  readonly done: string
  readonly count: number
  /** What the form that takes it back posts as `undo`. */
  readonly undo?: string
}
export type Undone = { readonly kind: 'undone'; readonly count: number }
/** Why nothing was changed. */
export type Refused = { readonly kind: 'refused'; readonly refused: string }

export type RequestedDeed = {
  readonly change: IssuesChange
  /** `Resolve`, or `Assign` and `to Ada`: for the question before a change of all that match. */
  readonly verb: string
  readonly suffix?: string
  readonly done: string
  /** What the form that confirms it posts again. */
  readonly fields: Readonly<Record<string, string>>
}

/** Answers 400 to a form that is none of ours. */
export async function readDeed(
  { context }: Pick<ActionArgs<AppContext>, 'context'>,
  grant: WriteGrant,
  form: FormData,
): Promise<RequestedDeed> {
  const text = (name: string): string | undefined => {
    const value = form.get(name)
    return typeof value === 'string' ? value.trim() : undefined
  }
  const status = text('status')
  if (isShownStatus(status))
    return { change: { state: { status } }, ...STATUS_DEEDS[status], fields: { status } }
  const posted = text('assignee')
  if (posted === undefined) return httpError(400)
  const assignee = posted === 'typed' ? (text('assignTo') ?? '') : posted === 'none' ? '' : posted
  const fields = { assignee: assignee || 'none' }
  if (assignee === '') return { change: { assignee }, verb: 'Unassign', done: 'unassigned', fields }
  const choices = await assigneeChoices(context.queries, grant)
  const known = choices.find(
    ({ value, name, hint, isMe }) => [value, name, hint].includes(assignee) || (isMe && assignee === 'me'),
  )
  const whom = known?.isMe ? 'you' : (known?.name ?? assignee)
  const suffix = `to ${whom}`
  return { change: { assignee }, verb: 'Assign', suffix, done: `assigned ${suffix}`, fields }
}

export const changed = (done: string, count: number, undo: string | undefined): Changed => ({
  kind: 'changed',
  done,
  count,
  ...(undo === undefined ? {} : { undo }),
})

/** What was changed can be taken back. */
export async function undoChange(
  args: ActionArgs<AppContext, 'org'>,
  grant: WriteGrant,
  input: UndoIssuesInput,
): Promise<Undone> {
  try {
    return { kind: 'undone', ...(await undoIssues(args.context.commands, grant, input)) }
  } catch (error) {
    if (error instanceof InvalidInput) return httpError(400)
    throw error
  }
}

/** The first reason of a refusal, for people. Throws what is none. */
export function refusedBy(error: unknown): Refused {
  const [refused] = error instanceof InvalidInput ? Object.values(error.fields).flat() : []
  if (refused === undefined) throw error
  return { kind: 'refused', refused }
}
