/** Replays of a time, narrowed by a search, or those of one issue. */
import { findIssue, listReplays, projectKeys } from '@sonde/queries'
import type { LoadArgs } from '@sonde/router/server'
import { projectGrant } from '../../../../parts/access/page-grant.server.ts'
import { refusalOf } from '../../../../parts/explore/load-explore.server.ts'
import {
  filterChoices,
  isFiltered,
  performanceFilterOf,
} from '../../../../parts/filter-bar/filter-of.server.ts'
import type { AppContext } from '../../../../server/app-context.server.ts'
import { PAGE_ROWS, readReplaySearch } from './replay-search.ts'

export async function load(args: LoadArgs<AppContext, 'org' | 'project'>) {
  const { queries, clock } = args.context
  const grant = await projectGrant(args, 'event:read')
  const { searchParams: params } = args.url
  const nowMs = clock.nowMs()
  const search = readReplaySearch(params)
  const issue = search.issue === undefined ? undefined : await findIssue(queries, grant, search.issue)
  const common = {
    search,
    issue: issue && { id: issue.id, shortId: issue.shortId, title: issue.title },
    choices: await filterChoices(queries, grant, { params, nowMs, source: 'replays' }),
    isNarrowed: isFiltered(params) || search.query !== '' || search.issue !== undefined,
  }
  try {
    const page = await listReplays(queries, grant, {
      ...performanceFilterOf(params, nowMs),
      query: search.query,
      sort: search.sort,
      cursor: search.cursor,
      issueId: search.issue,
      limit: PAGE_ROWS,
    })
    const keys = page.replays.length === 0 ? await projectKeys(queries, grant) : []
    return {
      ...common,
      // What is read of a row: ids of a hundred errors and traces are not.
      rows: page.replays.map(({ errorIds: _errors, traceIds: _traces, urls, ...row }) => ({
        ...row,
        urls: urls.length,
        url: urls[0]?.slice(0, 300) ?? '',
      })),
      next: page.next,
      dsn: keys.find((key) => key.isActive)?.dsn,
    }
  } catch (error) {
    return { ...common, rows: [], next: undefined, refusal: refusalOf(error, search.query) }
  }
}
