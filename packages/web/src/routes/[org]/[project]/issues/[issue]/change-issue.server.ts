/** What the forms of an issue's screens post: another status, in which release, and the way back. */
import { InvalidInput, type Resolution, updateIssues } from '@sonde/commands'
import { findIssue } from '@sonde/queries'
import { type ActionArgs, httpError, type Invalid, invalid, notFound } from '@sonde/router/server'
import { projectGrant } from '../../../../../parts/access/page-grant.server.ts'
import { isShownStatus } from '../../../../../parts/issue/shown-status.ts'
import {
  changed,
  type Changed,
  type Undone,
  undoChange,
} from '../../../../../parts/issue/undo-change.server.ts'
import type { AppContext } from '../../../../../server/app-context.server.ts'

/** `refused`: why nothing was changed. */
export type IssueOutcome = Changed | Undone | { readonly kind: 'refused'; readonly refused: string }

/** For `useActionData`: the action of the issue's page and of its events' pages. */
export type IssueAction = () => ReturnType<typeof changeIssue>

export async function changeIssue(
  args: ActionArgs<AppContext, 'org' | 'project' | 'issue'>,
): Promise<IssueOutcome | Invalid<IssueOutcome>> {
  const { context, params, formData } = args
  const grant = await projectGrant(args, 'event:write')
  const issue = await findIssue(context.queries, grant, params.issue)
  if (!issue) return notFound()
  const form = await formData()
  const undone = form.get('undo')
  if (typeof undone === 'string') return undoChange(args, grant, { undo: undone, issueId: issue.id })
  const status = form.get('status')
  if (!isShownStatus(status)) return httpError(400)
  try {
    const { before, undo } = await updateIssues(context.commands, grant, {
      ids: [issue.id],
      status,
      resolution: resolutionOf(form),
    })
    return changed(status, before.length, undo)
  } catch (error) {
    const [refused] = error instanceof InvalidInput ? Object.values(error.fields).flat() : []
    if (refused === undefined) throw error
    return invalid<IssueOutcome>({ kind: 'refused', refused })
  }
}

/** What the menu beside "Resolve" says. */
function resolutionOf(form: FormData): Resolution | undefined {
  const version = form.get('version')
  if (form.get('resolution') === 'next_release') return { kind: 'next_release' }
  if (form.get('resolution') !== 'release') return undefined
  return { kind: 'release', version: typeof version === 'string' ? version.trim() : '' }
}
