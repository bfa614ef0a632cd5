import { mayAlso } from '@sonde/access'
import { listProjects } from '@sonde/queries'
import type { ActionArgs, LoadArgs } from '@sonde/router/server'
import { orgGrant } from '../../../parts/access/page-grant.server.ts'
import { changeIssues } from '../../../parts/issue-list/change-issues.server.ts'
import { issuesOrRefusal, listSearchOf } from '../../../parts/issue-list/load-list.server.ts'
import type { AppContext } from '../../../server/app-context.server.ts'

export async function load(args: LoadArgs<AppContext, 'org'>) {
  const grant = await orgGrant(args, 'event:read')
  const { search, saved } = await listSearchOf(args, grant)
  const [projects, list] = await Promise.all([
    listProjects(args.context.queries, grant),
    issuesOrRefusal(args.context, grant, search),
  ])
  return {
    orgName: grant.orgName,
    projectCount: projects.length,
    isLimited: grant.projects !== undefined,
    mayCreate: mayAlso(grant, 'project:create'),
    hasEvents: projects.some((project) => project.firstEventMs !== undefined),
    search,
    saved,
    mayChange: mayAlso(grant, 'event:write'),
    ...list,
  }
}

/** Resolves, ignores or reopens the chosen issues, and takes that back. */
export async function action(args: ActionArgs<AppContext, 'org'>) {
  const grant = await orgGrant(args, 'event:write')
  return changeIssues(args, grant)
}
