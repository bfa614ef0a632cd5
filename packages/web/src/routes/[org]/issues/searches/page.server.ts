import { mayAlso } from '@sonde/access'
import {
  deleteSearch,
  InvalidInput,
  type PinChange,
  pinSearch,
  restoreSearch,
  saveSearch,
  setDefaultSearch,
  updateSearch,
} from '@sonde/commands'
import { checkIssueSearch, savedSearches, SearchError } from '@sonde/queries'
import { type ActionArgs, httpError, invalid, type LoadArgs, redirect } from '@sonde/router/server'
import { orEndPage, orgGrant } from '../../../../parts/access/page-grant.server.ts'
import { fieldsOf, type PostedFields, type RefusedForm } from '../../../../parts/forms/posted-fields.ts'
import type { SavedForm } from '../../../../parts/forms/saved-notice.tsx'
import { listPath } from '../../../../parts/issue-list/list-search.ts'
import { paths } from '../../../../paths.ts'
import type { AppContext } from '../../../../server/app-context.server.ts'

type Args = ActionArgs<AppContext, 'org'>

export async function load(args: LoadArgs<AppContext, 'org'>) {
  const grant = await orgGrant(args, 'event:read')
  const { searchParams } = args.url
  const query = searchParams.get('query')
  const restorable = Number(searchParams.get('undo'))
  return {
    orgName: grant.orgName,
    searches: await savedSearches(args.context.queries, grant),
    mayShare: mayAlso(grant, 'event:write'),
    /** What is to be saved; undefined: one came to look. */
    begun: query === null ? undefined : { query, sort: searchParams.get('sort') ?? 'date' },
    project: searchParams.get('project') ?? undefined,
    /** Of the one that was just deleted. */
    deletedId: Number.isSafeInteger(restorable) && restorable > 0 ? restorable : undefined,
  }
}

/** 303 to the list or back here, or 422 with the errors of each field. */
export async function action(args: Args) {
  const posted = fieldsOf(await args.formData())
  const form = posted.text('form')
  const project = posted.text('project') || undefined
  const back = (saved: SavedForm, undo?: number): never => {
    const here = paths.savedSearches(args.params.org, { project })
    const more = `${here.includes('?') ? '&' : '?'}saved=${saved}${undo === undefined ? '' : `&undo=${undo}`}`
    return redirect(here + more, 303)
  }
  try {
    if (form === 'save') return await save(args, posted, project)
    const does = posted.text('does')
    const id = posted.number('id')
    if (form !== 'search' || (does !== 'not-default' && !(Number.isSafeInteger(id) && id > 0)))
      return httpError(400)
    const saved = await change(args, does, id, posted)
    if (posted.text('back') === 'list') return redirect(listPath({ org: args.params.org, project }), 303)
    return back(saved, does === 'delete' ? id : undefined)
  } catch (error) {
    const fields =
      error instanceof InvalidInput
        ? error.fields
        : error instanceof SearchError
          ? { query: [error.message] }
          : undefined
    if (!fields) throw error
    const answer: RefusedForm = { form: form === 'save' ? form : `search-${posted.text('id')}`, fields }
    return invalid(answer)
  }
}

async function save(args: Args, posted: PostedFields, project: string | undefined): Promise<never> {
  const grant = await orgGrant(args, 'event:read')
  const query = posted.text('query')
  const sort = posted.text('sort') || 'date'
  // Throws with what cannot be understood.
  checkIssueSearch(args.context.queries, grant, query)
  const isShared = posted.text('for') === 'organization'
  await orEndPage(
    saveSearch(args.context.commands, grant, { name: posted.text('name'), query, sort, isShared }),
  )
  return redirect(listPath({ org: args.params.org, project }, { query, sort }), 303)
}

async function change(
  { context, ...args }: Args,
  does: string,
  id: number,
  posted: PostedFields,
): Promise<SavedForm> {
  const { commands } = context
  const grant = await orgGrant({ context, ...args }, 'event:read')
  switch (does) {
    case 'change': {
      const query = posted.text('query')
      checkIssueSearch(context.queries, grant, query)
      const sort = posted.text('sort')
      await orEndPage(updateSearch(commands, grant, { id, name: posted.text('name'), query, sort }))
      return 'search-changed'
    }
    case 'delete':
      await orEndPage(deleteSearch(commands, grant, { id }))
      return 'search-deleted'
    case 'restore':
      await orEndPage(restoreSearch(commands, grant, { id }))
      return 'search-restored'
    case 'default':
      await orEndPage(setDefaultSearch(commands, grant, { id }))
      return 'search-default'
    case 'not-default':
      await orEndPage(setDefaultSearch(commands, grant, { id: undefined }))
      return 'search-not-default'
    case 'pin':
    case 'unpin':
    case 'up':
    case 'down':
      await orEndPage(pinSearch(commands, grant, { id, change: does satisfies PinChange }))
      return 'search-order'
    default:
      return httpError(400)
  }
}
