import { findIssue, issueTagValues } from '@sonde/queries'
import { type LoadArgs, notFound } from '@sonde/router/server'
import { projectGrant } from '../../../../../../../parts/access/page-grant.server.ts'
import { readEventFilter, spanOf } from '../../../../../../../parts/event-filter/event-filter.ts'
import type { AppContext } from '../../../../../../../server/app-context.server.ts'
import { leadOn } from '../../lead-on.server.ts'
import { orRefusal } from '../../search-refusal.server.ts'

const ROWS = 100

/** Of the events in the chosen span and environments; a search among them does not narrow the values themselves. */
export async function load(args: LoadArgs<AppContext, 'org' | 'project' | 'issue' | 'key'>) {
  const { queries, clock } = args.context
  const { key } = args.params
  const { searchParams } = args.url
  const grant = await projectGrant(args, 'event:read')
  const issue = (await findIssue(queries, grant, args.params.issue)) ?? notFound()
  leadOn(args, issue)
  const filter = readEventFilter(searchParams)
  const contains = (searchParams.get('value') ?? '').slice(0, 200)
  const { value: page } = await orRefusal(() =>
    issueTagValues(queries, issue, {
      key,
      contains,
      environments: filter.environments,
      ...spanOf(filter, clock.nowMs()),
      cursor: searchParams.get('cursor') ?? undefined,
      limit: ROWS,
    }),
  )
  if (!page) return notFound()
  return {
    issue: { shortId: issue.shortId, title: issue.title, project: issue.project.slug },
    page,
    filter,
    contains,
  }
}
