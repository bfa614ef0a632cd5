import { mayAlso, requireAlso } from '@sonde/access'
import { deleteEvents, restoreEvents } from '@sonde/commands'
import { deletedEvents, findIssue, issueEvents } from '@sonde/queries'
import { type ActionArgs, type LoadArgs, notFound, redirect } from '@sonde/router/server'
import { projectGrant } from '../../../../../../parts/access/page-grant.server.ts'
import { orBusy } from '../../../../../../parts/deleted/or-busy.server.ts'
import { readEventFilter, spanOf } from '../../../../../../parts/event-filter/event-filter.ts'
import { fieldsOf } from '../../../../../../parts/forms/posted-fields.ts'
import { paths } from '../../../../../../paths.ts'
import type { AppContext } from '../../../../../../server/app-context.server.ts'
import { leadOn } from '../lead-on.server.ts'
import { orRefusal } from '../search-refusal.server.ts'

const ROWS = 50
const EVENT_ID = /^[0-9a-f]{32}$/

export async function load(args: LoadArgs<AppContext, 'org' | 'project' | 'issue'>) {
  const { queries, clock } = args.context
  const grant = await projectGrant(args, 'event:read')
  const issue = (await findIssue(queries, grant, args.params.issue)) ?? notFound()
  leadOn(args, issue)
  const filter = readEventFilter(args.url.searchParams)
  const cursor = args.url.searchParams.get('cursor') ?? undefined
  const { query, environments } = filter
  const { value, refusal } = await orRefusal(() =>
    issueEvents(queries, issue, {
      query,
      environments,
      ...spanOf(filter, clock.nowMs()),
      cursor,
      limit: ROWS,
    }),
  )
  // Tags come with the event itself; a list of fifty would carry hundreds that nobody sees.
  const rows = value?.rows.map(({ tags: { browser, os, server_name: server }, ...row }) => ({
    ...row,
    browser: browser ?? '',
    os: os ?? '',
    server: server ?? '',
  }))
  const mayDelete = mayAlso(grant, 'event:delete')
  const told = Number(args.url.searchParams.get('deleted') ?? NaN)
  const [deleted] =
    mayDelete && Number.isSafeInteger(told)
      ? await deletedEvents(queries, requireAlso(grant, 'event:delete'), told)
      : []
  return {
    mayDelete,
    // What was just deleted, to be had back.
    deleted: deleted && { id: deleted.id, events: deleted.events },
    isRestored: args.url.searchParams.has('restored'),
    isBusy: args.url.searchParams.has('busy'),
    issue: { shortId: issue.shortId, title: issue.title, project: issue.project.slug },
    page: value && rows && { rows, previous: value.previous, next: value.next },
    filter,
    refusal,
  }
}

/** Posted by this page and by the page of an event: chosen events are deleted, or had back. */
export async function action(args: ActionArgs<AppContext, 'org' | 'project' | 'issue'>) {
  const grant = await projectGrant(args, 'event:delete')
  const posted = fieldsOf(await args.formData())
  const { org, project, issue } = args.params
  const list = paths.issueEvents(org, project, issue)
  const { commands } = args.context
  const deletionId = posted.number('restore')
  const eventIds = posted
    .all('event')
    .filter((id) => EVENT_ID.test(id))
    .slice(0, ROWS)
  const busy = `${list}?busy=1`
  if (!Number.isNaN(deletionId)) {
    await orBusy(busy, restoreEvents(commands, grant, { deletionId }))
    return redirect(`${list}?restored=1`, 303)
  }
  if (eventIds.length === 0) return redirect(list, 303)
  const done = await orBusy(busy, deleteEvents(commands, grant, { eventIds }))
  return redirect(`${list}?deleted=${done.deletionId}`, 303)
}
