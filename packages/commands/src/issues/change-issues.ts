/** One request may change several things about issues at once, of those that are named or all that match. */
import type { Grant } from '@sonde/access'
import { ISSUE_STATUSES } from '@sonde/stores'
import type { CommandDeps } from '../command-deps.ts'
import { InvalidInput } from '../fields.ts'
import { assignIssues, assignMatchingIssues } from './assign-issues.ts'
import { inSteps, MAX_ISSUES_AT_ONCE } from './many-issues.ts'
import { type Marks, markIssues } from './mark-issues.ts'
import { type PriorityChoice, setPriority } from './set-priority.ts'
import { joinUndo, writeFieldUndo } from './undo-text.ts'
import { updateIssues, type UpdateIssuesInput, updateMatchingIssues } from './update-issues.ts'

type WriteGrant = Grant<'event:write', 'org' | 'project'>

/** What is absent stays as it is. */
export type IssuesChange = {
  readonly state?: Omit<UpdateIssuesInput, 'ids'> | undefined
  /** As `assignIssues` takes it. */
  readonly assignee?: string | undefined
  readonly priority?: PriorityChoice | undefined
  /** Those of whoever asks, and the review of all. */
  readonly marks?: Marks | undefined
}

/** `find` leaves out what fulfils the term, `is:resolved` or `assigned:user:ID`; without one it finds all. */
export type ChangeTarget =
  | { readonly ids: readonly number[] }
  | { readonly find: (otherThan?: string) => Promise<readonly number[]> }

export type ChangedIssues = {
  /** How many there are within the grant, changed now or so before. */
  readonly count: number
  /** For `undoIssues`. */
  readonly undo: string | undefined
  /** False: more match than one request changes; the same again changes the rest. */
  readonly isComplete: boolean
}

/** Throws `InvalidInput`, also for a change of nothing. What `find` throws. */
export async function changeIssues(
  deps: CommandDeps,
  grant: WriteGrant,
  change: IssuesChange,
  target: ChangeTarget,
): Promise<ChangedIssues> {
  const kinds = Object.values(change).filter((value) => value !== undefined)
  if (kinds.length === 0)
    throw new InvalidInput('change issues', { status: ['is needed, or another change'] })
  if ('ids' in target) return changeNamed(deps, grant, change, target.ids)
  const { state, assignee } = change
  if (kinds.length === 1 && state)
    return updateMatchingIssues(deps, grant, state, () => target.find(termOf(state.status)))
  if (kinds.length === 1 && assignee !== undefined)
    return assignMatchingIssues(deps, grant, assignee, (to) => target.find(`assigned:${to || 'none'}`))
  const { marks, priority } = change
  if (kinds.length === 1 && priority && priority !== 'rule') {
    const { before, ...changed } = await inSteps(
      () => target.find(`issue.priority:${priority}`),
      (ids) => setPriority(deps, grant, { ids, priority }),
    )
    return { ...changed, undo: writeFieldUndo('priority', priority, before) }
  }
  const marked = kinds.length === 1 && marks ? markedAs(marks) : undefined
  if (marks && marked !== undefined) {
    const { count, isComplete } = await inSteps(
      () => target.find(marked),
      (ids) => markIssues(deps, grant, { ...marks, ids }),
    )
    return { count, isComplete, undo: undefined }
  }
  // One change may end what the search looks for, so the others look at what was found at first.
  const ids = await target.find()
  if (ids.length === 0) return { count: 0, undo: undefined, isComplete: true }
  const changed = await changeNamed(deps, grant, change, ids)
  return { ...changed, isComplete: ids.length < MAX_ISSUES_AT_ONCE }
}

/** The term that issues fulfil which have the only mark already. */
function markedAs(marks: Marks): string | undefined {
  const set = Object.entries(marks).filter(([, value]) => value !== undefined)
  const [[name, value] = []] = set
  if (set.length !== 1 || value !== true) return undefined
  if (name === 'isReviewed') return 'is:reviewed'
  return name === 'isBookmarked' ? 'bookmarks:me' : name === 'isSubscribed' ? 'subscribed:me' : undefined
}

async function changeNamed(
  deps: CommandDeps,
  grant: WriteGrant,
  { state, assignee, priority, marks }: IssuesChange,
  ids: readonly number[],
): Promise<ChangedIssues> {
  const marked = marks && (await markIssues(deps, grant, { ...marks, ids }))
  const set = priority && (await setPriority(deps, grant, { ids, priority }))
  const assigned = assignee === undefined ? undefined : await assignIssues(deps, grant, { ids, assignee })
  const updated = state && (await updateIssues(deps, grant, { ...state, ids }))
  return {
    count: (updated ?? assigned ?? set ?? marked)?.ids.length ?? 0,
    undo: joinUndo([set?.undo, assigned?.undo, updated?.undo]),
    isComplete: true,
  }
}

/** Of a state that is none there is no term; the change says so. */
const termOf = (status: string): string | undefined =>
  (ISSUE_STATUSES as readonly string[]).includes(status) ? `is:${status}` : undefined
