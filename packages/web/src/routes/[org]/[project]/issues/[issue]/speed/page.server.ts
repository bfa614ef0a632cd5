/** JSON for the issue screen, fetched after it is shown: were those who had this error slower? */
import { errorKind } from '@sonde/base'
import { findIssue, issueVitals } from '@sonde/queries'
import { type LoadArgs, notFound } from '@sonde/router/server'
import { projectGrant } from '../../../../../../parts/access/page-grant.server.ts'
import { readEventFilter, spanOf } from '../../../../../../parts/event-filter/event-filter.ts'
import type { AppContext } from '../../../../../../server/app-context.server.ts'
import type { IssueSpeed } from '../issue-speed-text.ts'

export async function load(args: LoadArgs<AppContext, 'org' | 'project' | 'issue'>): Promise<Response> {
  const { queries, clock } = args.context
  const grant = await projectGrant(args, 'event:read')
  const issue = (await findIssue(queries, grant, args.params.issue)) ?? notFound()
  const filter = readEventFilter(args.url.searchParams)
  const { environments } = filter
  const answer: IssueSpeed = await issueVitals(queries, issue, {
    environments,
    ...spanOf(filter, clock.nowMs()),
  }).catch((error: unknown) => {
    if (isUnavailable(error)) return 'too-much' as const
    throw error
  })
  return Response.json(answer, { headers: { 'cache-control': 'private, no-store' } })
}

const isUnavailable = (error: unknown): boolean => errorKind(error) === 'unavailable'
