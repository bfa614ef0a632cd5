/** What the lists' forms post: a change to chosen issues or to all that match, and its undo. */
import type { OrgScope, ProjectScope } from '@sonde/access'
import { MAX_ISSUES_AT_ONCE, restoreIssues, updateIssues } from '@sonde/commands'
import { issueStates, matchingIssueIds } from '@sonde/queries'
import { type ActionArgs, httpError, type Invalid, invalid } from '@sonde/router/server'
import { isShownStatus, type ShownStatus } from '../issue/shown-status.ts'
import type { AppContext } from '../server/app-context.ts'
import { requireViewer } from '../server/page-scope.ts'
import { readListSearch } from './list-search.ts'
import { refusalOf, ROWS } from './load-list.server.ts'
import { readUndo, writeUndo } from './undo-text.ts'

type Args = ActionArgs<AppContext, 'org'>
type Scope = OrgScope | ProjectScope

export type ChangeOutcome =
  | { readonly kind: 'changed'; readonly status: ShownStatus; readonly count: number; readonly undo?: string }
  | { readonly kind: 'undone'; readonly count: number }
  /** Without JavaScript: all that match are more than can be seen. */
  | { readonly kind: 'confirm'; readonly status: ShownStatus; readonly count: number }
  | { readonly kind: 'none-chosen' }

/** For `useActionData`: the action of either list. */
export type ListAction = () => ReturnType<typeof changeIssues>

/** A change in steps ends here, so that a query that always matches cannot run for ever. */
const MAX_STEPS = 40

/** `scope` is of `event:write`; the commands check again. */
export async function changeIssues(
  args: Args,
  scope: Scope,
): Promise<ChangeOutcome | Invalid<ChangeOutcome>> {
  const form = await args.formData()
  const undo = form.get('undo')
  if (typeof undo === 'string') return undoChange(args, scope, undo)
  const status = form.get('status')
  if (!isShownStatus(status)) return httpError(400)
  if (form.get('all') === '1') return changeMatching(args, scope, status, form.get('confirmed') === '1')
  const ids = form
    .getAll('id')
    .flatMap((value) => (typeof value === 'string' ? value.split(',') : []))
    .map(Number)
    .filter((id) => Number.isSafeInteger(id) && id > 0)
  if (ids.length === 0) return invalid<ChangeOutcome>({ kind: 'none-chosen' })
  if (ids.length > MAX_ISSUES_AT_ONCE) return httpError(400)
  const before = await change(args, scope, status, ids)
  return changed(status, before)
}

type States = Awaited<ReturnType<typeof issueStates>>

const changed = (status: ShownStatus, before: States): ChangeOutcome => {
  const undo = writeUndo(status, before)
  return { kind: 'changed', status, count: before.length, ...(undo === undefined ? {} : { undo }) }
}

/** Returns what they were before. */
async function change(
  args: Args,
  scope: Scope,
  status: ShownStatus,
  ids: readonly number[],
): Promise<States> {
  const { queries, commands } = args.context
  const before = await issueStates(queries, scope, ids)
  if (before.length > 0)
    await updateIssues(commands, requireViewer(args), {
      org: scope.orgId,
      ...('projectId' in scope ? { project: scope.projectId } : {}),
      ids: before.map(({ id }) => id),
      status,
    })
  return before
}

/** In steps of what one query finds: what has the new state already is not looked for, so each step finds others. */
async function changeMatching(
  args: Args,
  scope: Scope,
  status: ShownStatus,
  isConfirmed: boolean,
): Promise<ChangeOutcome | Invalid<ChangeOutcome>> {
  const search = readListSearch(args.url.searchParams)
  const { query, statsPeriod, start, end, environments } = search
  const others = { scope, query: `${query} !is:${status}`, statsPeriod, start, end, environments }
  const before: States[number][] = []
  try {
    for (let step = 0; step < MAX_STEPS; step++) {
      const ids = await matchingIssueIds(args.context.queries, others)
      if (!isConfirmed && ids.length > ROWS) {
        return { kind: 'confirm', status, count: ids.length }
      }
      const found = ids.length === 0 ? [] : await change(args, scope, status, ids)
      before.push(...found)
      if (found.length < MAX_ISSUES_AT_ONCE) break
    }
  } catch (error) {
    refusalOf(error)
    return invalid<ChangeOutcome>({ kind: 'none-chosen' })
  }
  return changed(status, before)
}

async function undoChange(args: Args, scope: Scope, text: string): Promise<ChangeOutcome> {
  const undo = readUndo(text)
  if (!undo) return httpError(400)
  let count = 0
  for (const { status, ids, ...was } of undo.groups) {
    for (let from = 0; from < ids.length; from += MAX_ISSUES_AT_ONCE) {
      const restored = await restoreIssues(args.context.commands, requireViewer(args), {
        org: scope.orgId,
        ...('projectId' in scope ? { project: scope.projectId } : {}),
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
