import { listProjects } from '@sonde/queries'
import type { ActionArgs, LoadArgs } from '@sonde/router/server'
import { changeIssues } from '../../../parts/issue-list/change-issues.server.ts'
import { readListSearch } from '../../../parts/issue-list/list-search.ts'
import { issuesOrRefusal } from '../../../parts/issue-list/load-list.server.ts'
import type { AppContext } from '../../../server/app-context.server.ts'
import { mayInOrg, orgScope } from '../../../parts/access/page-scope.server.ts'

export async function load(args: LoadArgs<AppContext, 'org'>) {
  const scope = await orgScope(args, 'event:read')
  const search = readListSearch(args.url.searchParams)
  const [projects, list, mayChange] = await Promise.all([
    listProjects(args.context.queries, scope),
    issuesOrRefusal(args.context, scope, search),
    mayInOrg(args, 'event:write'),
  ])
  return {
    orgName: scope.orgName,
    projectCount: projects.length,
    hasEvents: projects.some((project) => project.firstEventMs !== undefined),
    search,
    mayChange,
    ...list,
  }
}

/** Resolves, ignores or reopens the chosen issues, and takes that back. */
export async function action(args: ActionArgs<AppContext, 'org'>) {
  const scope = await orgScope(args, 'event:write')
  return changeIssues(args, scope)
}
