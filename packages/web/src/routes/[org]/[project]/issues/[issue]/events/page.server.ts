import { findIssue, issueEvents } from '@sonde/queries'
import { type LoadArgs, notFound } from '@sonde/router/server'
import { readEventFilter, spanOf } from '../../../../../../issue/event-filter.ts'
import type { AppContext } from '../../../../../../server/app-context.ts'
import { leadOn } from '../../../../../../server/lead-on.ts'
import { projectScope } from '../../../../../../server/page-scope.ts'
import { orRefusal } from '../../../../../../server/search-refusal.ts'

const ROWS = 50

export async function load(args: LoadArgs<AppContext, 'org' | 'project' | 'issue'>) {
  const { queries, clock } = args.context
  const scope = await projectScope(args, 'event:read')
  const issue = (await findIssue(queries, scope, args.params.issue)) ?? notFound()
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
