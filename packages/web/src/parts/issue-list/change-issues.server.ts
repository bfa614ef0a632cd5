/** What the lists' forms post: a change to chosen issues or to all that match, and its undo. */
import type { Grant } from '@sonde/access'
import { changeIssues as runChange, MAX_ISSUES_AT_ONCE } from '@sonde/commands'
import { matchingIssueIds, projectsOfIssues, SearchError } from '@sonde/queries'
import { type ActionArgs, httpError, type Invalid, invalid, redirect } from '@sonde/router/server'
import { paths } from '../../paths.ts'
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
import { MAX_CHOSEN } from './chosen-issues.server.ts'
import { listSearchOf, ROWS } from './load-list.server.ts'

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
  const go = form.get('go')
  if (go === 'merge' || go === 'delete') return ask(args, grant, go, form)
  try {
    const deed = await readDeed(args, grant, form)
    if (form.get('all') === '1') return await changeMatching(args, grant, deed, form.get('confirmed') === '1')
    const ids = chosenIn(form)
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

const chosenIn = (form: FormData): readonly number[] =>
  form
    .getAll('id')
    .flatMap((value) => (typeof value === 'string' ? value.split(',') : []))
    .map(Number)
    .filter((id) => Number.isSafeInteger(id) && id > 0)

/** Leads to the page that asks. Of one project, and no more than can be looked through. */
async function ask(
  { context }: Args,
  grant: EventsGrant,
  go: 'merge' | 'delete',
  form: FormData,
): Promise<Invalid<ChangeOutcome>> {
  const ids = chosenIn(form)
  const refuse = (refused: string) => invalid<ChangeOutcome>({ kind: 'refused', refused })
  if (form.get('all') === '1') return refuse(`select at most ${MAX_CHOSEN} issues to ${go}`)
  if (ids.length > MAX_CHOSEN) return refuse(`at most ${MAX_CHOSEN} issues at once`)
  const [project, ...others] = await projectsOfIssues(context.queries, grant, ids)
  if (project === undefined) return invalid<ChangeOutcome>({ kind: 'none-chosen' })
  if (others.length > 0) return refuse('the issues are of several projects')
  if (go === 'merge' && ids.length < 2) return refuse('select at least two issues to merge')
  return redirect(
    go === 'merge'
      ? paths.mergeIssues(grant.orgSlug, project, ids)
      : paths.deleteIssues(grant.orgSlug, project, ids),
    303,
  )
}

async function changeMatching(
  args: Args,
  grant: EventsGrant,
  { change, done, ...deed }: RequestedDeed,
  isConfirmed: boolean,
): Promise<ChangeOutcome> {
  const { commands, queries } = args.context
  const { query, statsPeriod, start, end, environments } = (await listSearchOf(args, grant)).search
  const find = (otherThan?: string) =>
    matchingIssueIds(queries, { grant, query, statsPeriod, start, end, environments, otherThan })
  if (!isConfirmed) {
    const { length: count } = await find()
    if (count > ROWS) return { kind: 'confirm', deed, count }
  }
  const { count, undo } = await runChange(commands, grant, change, { find })
  return changed(done, count, undo)
}
