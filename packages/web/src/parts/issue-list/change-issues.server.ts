/** What the lists' forms post: a change to chosen issues or to all that match, and its undo. */
import type { Grant } from '@sonde/access'
import { type IssueBefore, MAX_ISSUES_AT_ONCE, updateIssues } from '@sonde/commands'
import { matchingIssueIds } from '@sonde/queries'
import { type ActionArgs, httpError, type Invalid, invalid } from '@sonde/router/server'
import { isShownStatus, type ShownStatus } from '../issue/shown-status.ts'
import type { AppContext } from '../../server/app-context.server.ts'
import { readListSearch } from './list-search.ts'
import { refusalOf, ROWS } from './load-list.server.ts'
import { changed, type Changed, type Undone, undoChange } from '../issue/undo-change.server.ts'

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

/** A change in steps ends here, so that a query that always matches cannot run for ever. */
const MAX_STEPS = 40

export async function changeIssues(
  args: Args,
  grant: EventsGrant,
): Promise<ChangeOutcome | Invalid<ChangeOutcome>> {
  const form = await args.formData()
  const undo = form.get('undo')
  if (typeof undo === 'string') return undoChange(args, grant, undo)
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
  const { ids: known, before } = await change(args, grant, status, ids)
  return changed(status, known.length, before)
}

const change = (args: Args, grant: EventsGrant, status: ShownStatus, ids: readonly number[]) =>
  updateIssues(args.context.commands, grant, { ids, status })

/** In steps of what one query finds: what has the new state already is not looked for, so each step finds others. */
async function changeMatching(
  args: Args,
  grant: EventsGrant,
  status: ShownStatus,
  isConfirmed: boolean,
): Promise<ChangeOutcome | Invalid<ChangeOutcome>> {
  const search = readListSearch(args.url.searchParams)
  const { query, statsPeriod, start, end, environments } = search
  const others = { grant, query: `${query} !is:${status}`, statsPeriod, start, end, environments }
  const before: IssueBefore[] = []
  try {
    for (let step = 0; step < MAX_STEPS; step++) {
      const ids = await matchingIssueIds(args.context.queries, others)
      if (!isConfirmed && ids.length > ROWS) {
        return { kind: 'confirm', status, count: ids.length }
      }
      if (ids.length > 0) before.push(...(await change(args, grant, status, ids)).before)
      if (ids.length < MAX_ISSUES_AT_ONCE) break
    }
  } catch (error) {
    refusalOf(error)
    return invalid<ChangeOutcome>({ kind: 'none-chosen' })
  }
  return changed(status, before.length, before)
}
