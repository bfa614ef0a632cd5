/** What the forms of an issue's screens post: another status, in which release, whose it is, and the way back. */
import { changeIssues, markOwn, type Resolution } from '@sonde/commands'
import { findIssue } from '@sonde/queries'
import { type ActionArgs, type Invalid, invalid, notFound } from '@sonde/router/server'
import { projectGrant } from '../../../../../parts/access/page-grant.server.ts'
import {
  changed,
  type Changed,
  readDeed,
  readOwnMarks,
  type Refused,
  refusedBy,
  type Undone,
  undoChange,
} from '../../../../../parts/issue/read-deed.server.ts'
import type { AppContext } from '../../../../../server/app-context.server.ts'

export type IssueOutcome = Changed | Undone | Refused

/** For `useActionData`: the action of the issue's page and of its events' pages. */
export type IssueAction = () => ReturnType<typeof changeIssue>

export async function changeIssue(
  args: ActionArgs<AppContext, 'org' | 'project' | 'issue'>,
): Promise<IssueOutcome | Invalid<IssueOutcome>> {
  const { context, params, formData } = args
  const reader = await projectGrant(args, 'event:read')
  const issue = await findIssue(context.queries, reader, params.issue)
  if (!issue) return notFound()
  const form = await formData()
  const own = readOwnMarks(form)
  if (own) {
    await markOwn(context.commands, reader, own.marks, { ids: [issue.id] })
    return changed(own.done, 1, undefined)
  }
  const grant = await projectGrant(args, 'event:write')
  const undone = form.get('undo')
  if (typeof undone === 'string') return undoChange(args, grant, { undo: undone, issueId: issue.id })
  try {
    const { change, done } = await readDeed(args, grant, form)
    const state = change.state && { ...change.state, resolution: resolutionOf(form) }
    const { undo } = await changeIssues(context.commands, grant, { ...change, state }, { ids: [issue.id] })
    return changed(done, undo === undefined && !change.marks ? 0 : 1, undo)
  } catch (error) {
    return invalid<IssueOutcome>(refusedBy(error))
  }
}

/** What the menu beside "Resolve" says. */
function resolutionOf(form: FormData): Resolution | undefined {
  const version = form.get('version')
  if (form.get('resolution') === 'next_release') return { kind: 'next_release' }
  if (form.get('resolution') !== 'release') return undefined
  return { kind: 'release', version: typeof version === 'string' ? version.trim() : '' }
}
