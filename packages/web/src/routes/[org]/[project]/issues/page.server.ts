import { mayAlso } from '@sonde/access'
import { listProjects, projectKeys, projectNewcomers } from '@sonde/queries'
import { type ActionArgs, type LoadArgs, notFound } from '@sonde/router/server'
import { projectGrant } from '../../../../parts/access/page-grant.server.ts'
import { changeIssues } from '../../../../parts/issue-list/change-issues.server.ts'
import { issuesOrRefusal, listSearchOf } from '../../../../parts/issue-list/load-list.server.ts'
import type { AppContext } from '../../../../server/app-context.server.ts'

export async function load(args: LoadArgs<AppContext, 'org' | 'project'>) {
  const { queries } = args.context
  const grant = await projectGrant(args, 'event:read')
  const { search, saved } = await listSearchOf(args, grant)
  const [[project], list, newcomers] = await Promise.all([
    listProjects(queries, grant),
    issuesOrRefusal(args.context, grant, search),
    projectNewcomers(queries, grant),
  ])
  if (!project) return notFound()
  const isWaiting = project.firstEventMs === undefined
  const keys = isWaiting ? await projectKeys(queries, grant) : []
  return {
    project: { name: project.name, platform: project.platform, isWaiting },
    dsn: keys.find((key) => key.isActive)?.dsn,
    search,
    saved,
    mayChange: mayAlso(grant, 'event:write'),
    held: newcomers.issues,
    ...list,
  }
}

/** Resolves, ignores or reopens the chosen issues, and takes that back. */
export async function action(args: ActionArgs<AppContext, 'org' | 'project'>) {
  const grant = await projectGrant(args, 'event:write')
  return changeIssues(args, grant)
}
