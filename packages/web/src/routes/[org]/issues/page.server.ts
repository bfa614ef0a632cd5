import { listProjects } from '@sonde/queries'
import type { ActionArgs, LoadArgs } from '@sonde/router/server'
import { changeIssues } from '../../../issues/change-issues.server.ts'
import { readListSearch } from '../../../issues/list-search.ts'
import { issuesOrRefusal } from '../../../issues/load-list.server.ts'
import type { AppContext } from '../../../server/app-context.ts'
import { mayInOrg, orgScope } from '../../../server/page-scope.ts'

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
