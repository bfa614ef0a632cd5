/** What the lists' forms post: a change to chosen issues or to all that match, and its undo. */
import type { Grant } from '@sonde/access'
import { changeIssues as runChange, MAX_ISSUES_AT_ONCE } from '@sonde/commands'
import { matchingIssueIds, SearchError } from '@sonde/queries'
import { type ActionArgs, httpError, type Invalid, invalid } from '@sonde/router/server'
import type { AppContext } from '../../server/app-context.server.ts'
import {
  changed,
  type Changed,
  readDeed,
  type Refused,
  refusedBy,
  type RequestedDeed,
  type Undone,
  undoChange,
} from '../issue/read-deed.server.ts'
import { readListSearch } from './list-search.ts'
import { ROWS } from './load-list.server.ts'

type Args = ActionArgs<AppContext, 'org'>
type EventsGrant = Grant<'event:write', 'org' | 'project'>

export type ChangeOutcome =
  | Changed
  | Undone
  | Refused
  /** Without JavaScript: all that match are more than can be seen. */
  | {
      readonly kind: 'confirm'
      readonly deed: Pick<RequestedDeed, 'verb' | 'suffix' | 'fields'>
      readonly count: number
    }
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
  const deed = await readDeed(args, grant, form)
  try {
    if (form.get('all') === '1') return await changeMatching(args, grant, deed, form.get('confirmed') === '1')
    const ids = form
      .getAll('id')
      .flatMap((value) => (typeof value === 'string' ? value.split(',') : []))
      .map(Number)
      .filter((id) => Number.isSafeInteger(id) && id > 0)
    if (ids.length === 0) return invalid<ChangeOutcome>({ kind: 'none-chosen' })
    if (ids.length > MAX_ISSUES_AT_ONCE) return httpError(400)
    const { count, undo } = await runChange(args.context.commands, grant, deed.change, { ids })
    return changed(deed.done, count, undo)
  } catch (error) {
    // Beside the search stands what is wrong with it.
    if (error instanceof SearchError) return invalid<ChangeOutcome>({ kind: 'none-chosen' })
    return invalid<ChangeOutcome>(refusedBy(error))
  }
}

async function changeMatching(
  args: Args,
  grant: EventsGrant,
  { change, done, ...deed }: RequestedDeed,
  isConfirmed: boolean,
): Promise<ChangeOutcome> {
  const { commands, queries } = args.context
  const { query, statsPeriod, start, end, environments } = readListSearch(args.url.searchParams)
  const find = (otherThan?: string) =>
    matchingIssueIds(queries, { grant, query, statsPeriod, start, end, environments, otherThan })
  if (!isConfirmed) {
    const { length: count } = await find()
    if (count > ROWS) return { kind: 'confirm', deed, count }
  }
  const { count, undo } = await runChange(commands, grant, change, { find })
  return changed(done, count, undo)
}
