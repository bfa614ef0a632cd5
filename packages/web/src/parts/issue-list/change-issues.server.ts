/** What the lists' forms post: a change to chosen issues or to all that match, and its undo. */
import type { Grant } from '@sonde/access'
import { MAX_ISSUES_AT_ONCE, updateIssues, updateMatchingIssues } from '@sonde/commands'
import { matchingIssueIds } from '@sonde/queries'
import { type ActionArgs, httpError, type Invalid, invalid } from '@sonde/router/server'
import type { AppContext } from '../../server/app-context.server.ts'
import { isShownStatus, type ShownStatus } from '../issue/shown-status.ts'
import { changed, type Changed, type Undone, undoChange } from '../issue/undo-change.server.ts'
import { readListSearch } from './list-search.ts'
import { refusalOf, ROWS } from './load-list.server.ts'

type Args = ActionArgs<AppContext, 'org'>
type EventsGrant = Grant<'event:write', 'org' | 'project'>

export type ChangeOutcome =
  | Changed
  | Undone
  /** Without JavaScript: all that match are more than can be seen. */
  | { readonly kind: 'confirm'; readonly status: ShownStatus; readonly count: number }
  | { readonly kind: 'none-chosen' }

/** For `useActionData`: the action of either list. */
export type ListAction = () => ReturnType<typeof changeIssues>

export async function changeIssues(
  args: Args,
  grant: EventsGrant,
): Promise<ChangeOutcome | Invalid<ChangeOutcome>> {
  const form = await args.formData()
  const undone = form.get('undo')
  if (typeof undone === 'string') return undoChange(args, grant, { undo: undone })
  const status = form.get('status')
  if (!isShownStatus(status)) return httpError(400)
  if (form.get('all') === '1') return changeMatching(args, grant, status, form.get('confirmed') === '1')
  const ids = form
    .getAll('id')
    .flatMap((value) => (typeof value === 'string' ? value.split(',') : []))
    .map(Number)
    .filter((id) => Number.isSafeInteger(id) && id > 0)
  if (ids.length === 0) return invalid<ChangeOutcome>({ kind: 'none-chosen' })
  if (ids.length > MAX_ISSUES_AT_ONCE) return httpError(400)
  const { ids: known, undo } = await updateIssues(args.context.commands, grant, { ids, status })
  return changed(status, known.length, undo)
}

async function changeMatching(
  args: Args,
  grant: EventsGrant,
  status: ShownStatus,
  isConfirmed: boolean,
): Promise<ChangeOutcome | Invalid<ChangeOutcome>> {
  const { commands, queries } = args.context
  const { query, statsPeriod, start, end, environments } = readListSearch(args.url.searchParams)
  const others = { grant, query, statsPeriod, start, end, environments, otherThan: `is:${status}` }
  const find = () => matchingIssueIds(queries, others)
  try {
    if (!isConfirmed) {
      const { length: count } = await find()
      if (count > ROWS) return { kind: 'confirm', status, count }
    }
    const { count, undo } = await updateMatchingIssues(commands, grant, { status }, find)
    return changed(status, count, undo)
  } catch (error) {
    refusalOf(error)
    return invalid<ChangeOutcome>({ kind: 'none-chosen' })
  }
}
