import { findIssue, issueTags } from '@sonde/queries'
import { type LoadArgs, notFound } from '@sonde/router/server'
import { readEventFilter } from '../../../../../../../issue/event-filter.ts'
import type { AppContext } from '../../../../../../../server/app-context.ts'
import { projectScope } from '../../../../../../../server/page-scope.ts'

/** More values than anybody reads; the search finds the others. */
const VALUES = 500

export async function load(args: LoadArgs<AppContext, 'org' | 'project' | 'issue' | 'key'>) {
  const { queries } = args.context
  const { key } = args.params
  const scope = await projectScope(args, 'event:read')
  const issue = (await findIssue(queries, scope, args.params.issue)) ?? notFound()
  const [tag] = await issueTags(queries, issue, { keys: 1, valuesPerKey: VALUES, key })
  return {
    issue: { shortId: issue.shortId, title: issue.title, project: issue.project.slug },
    key,
    tag: tag ?? { key, total: 0, distinct: 0, values: [] },
    filter: readEventFilter(args.url.searchParams),
  }
}
