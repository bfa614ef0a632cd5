import { findIssue, issueEvents } from '@sonde/queries'
import { type LoadArgs, notFound } from '@sonde/router/server'
import { projectGrant } from '../../../../../../parts/access/page-grant.server.ts'
import { readEventFilter, spanOf } from '../../../../../../parts/event-filter/event-filter.ts'
import type { AppContext } from '../../../../../../server/app-context.server.ts'
import { leadOn } from '../lead-on.server.ts'
import { orRefusal } from '../search-refusal.server.ts'

const ROWS = 50

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
  return {
    issue: { shortId: issue.shortId, title: issue.title, project: issue.project.slug },
    page: value && rows && { rows, previous: value.previous, next: value.next },
    filter,
    refusal,
  }
}
