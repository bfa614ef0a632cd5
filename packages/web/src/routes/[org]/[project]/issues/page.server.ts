import { listProjects, projectKeys, projectNewcomers } from '@sonde/queries'
import { type ActionArgs, type LoadArgs, notFound } from '@sonde/router/server'
import { changeIssues } from '../../../../parts/issue-list/change-issues.server.ts'
import { readListSearch } from '../../../../parts/issue-list/list-search.ts'
import { issuesOrRefusal } from '../../../../parts/issue-list/load-list.server.ts'
import type { AppContext } from '../../../../server/app-context.server.ts'
import { mayInOrg, projectScope } from '../../../../parts/access/page-scope.server.ts'

export async function load(args: LoadArgs<AppContext, 'org' | 'project'>) {
  const { queries } = args.context
  const scope = await projectScope(args, 'event:read')
  const search = readListSearch(args.url.searchParams)
  const [[project], list, mayChange, newcomers] = await Promise.all([
    listProjects(queries, scope),
    issuesOrRefusal(args.context, scope, search),
    mayInOrg(args, 'event:write'),
    projectNewcomers(queries, scope),
  ])
  if (!project) return notFound()
  const isWaiting = project.firstEventMs === undefined
  const keys = isWaiting ? await projectKeys(queries, scope) : []
  return {
    project: { name: project.name, platform: project.platform, isWaiting },
    dsn: keys.find((key) => key.isActive)?.dsn,
    search,
    mayChange,
    held: newcomers.issues,
    ...list,
  }
}

/** Resolves, ignores or reopens the chosen issues, and takes that back. */
export async function action(args: ActionArgs<AppContext, 'org' | 'project'>) {
  const scope = await projectScope(args, 'event:write')
  return changeIssues(args, scope)
}
