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

type ReadGrant = Grant<'event:read', 'org' | 'project'>
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
  if (kinds.length === 1 && marks) return markMatching(deps, grant, marks, target.find)
  // One change may end what the search looks for, so the others look at what was found at first.
  const ids = await target.find()
  if (ids.length === 0) return { count: 0, undo: undefined, isComplete: true }
  const changed = await changeNamed(deps, grant, change, ids)
  return { ...changed, isComplete: ids.length < MAX_ISSUES_AT_ONCE }
}

/**
 * Marks of whoever asks alone: they change nothing for others, so whoever may read issues may have them. Throws `InvalidInput`;
 * what `find` throws.
 */
export async function markOwn(
  deps: CommandDeps,
  grant: ReadGrant,
  marks: Omit<Marks, 'isReviewed'>,
  target: ChangeTarget,
): Promise<ChangedIssues> {
  // Nobody's inbox changes by what a caller passes on beside them.
  const { isBookmarked, isSubscribed, hasSeen } = marks
  const own = { isBookmarked, isSubscribed, hasSeen }
  if ('find' in target) return markMatching(deps, grant, own, target.find)
  const { ids } = await markIssues(deps, grant, { ...own, ids: target.ids })
  return { count: ids.length, isComplete: true, undo: undefined }
}

async function markMatching(
  deps: CommandDeps,
  grant: ReadGrant,
  marks: Marks,
  find: (otherThan?: string) => Promise<readonly number[]>,
): Promise<ChangedIssues> {
  const mark = (ids: readonly number[]) => markIssues(deps, grant, { ...marks, ids })
  const marked = markedAs(marks)
  if (marked !== undefined) {
    const { count, isComplete } = await inSteps(() => find(marked), mark)
    return { count, isComplete, undo: undefined }
  }
  const ids = await find()
  const count = ids.length === 0 ? 0 : (await mark(ids)).ids.length
  return { count, isComplete: ids.length < MAX_ISSUES_AT_ONCE, undo: undefined }
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
