import { mayAlso } from '@sonde/access'
import { createProject, InvalidInput } from '@sonde/commands'
import { listProjects, projectDsns, projectOverviews, projectTrends } from '@sonde/queries'
import { type ActionArgs, invalid, type LoadArgs, redirect } from '@sonde/router/server'
import { orgGrant } from '../../parts/access/page-grant.server.ts'
import { paths } from '../../paths.ts'
import type { AppContext } from '../../server/app-context.server.ts'

type Args = LoadArgs<AppContext, 'org'>

export async function load(args: Args) {
  const { queries } = args.context
  const grant = await orgGrant(args, 'project:read')
  const [projects, trendOf, overviewOf, dsnOf] = await Promise.all([
    listProjects(queries, grant),
    projectTrends(queries, grant),
    projectOverviews(queries, grant),
    projectDsns(queries, grant),
  ])
  return {
    orgName: grant.orgName,
    isLimited: grant.projects !== undefined,
    mayCreate: mayAlso(grant, 'project:create'),
    projects: projects.map((project) => ({
      ...project,
      dsn: dsnOf(project.id),
      overview: overviewOf(project.id),
      trend: trendOf(project.id),
    })),
  }
}

/** Makes a project. */
export async function action(args: ActionArgs<AppContext, 'org'>) {
  const { context, formData } = args
  const grant = await orgGrant(args, 'project:create')
  const form = await formData()
  const text = (name: string): string => {
    const value = form.get(name)
    return typeof value === 'string' ? value.trim() : ''
  }
  try {
    const project = await createProject(context.commands, grant, {
      slug: text('slug'),
      platform: text('platform'),
    })
    return redirect(paths.project(project.orgSlug, project.slug), 303)
  } catch (error) {
    if (error instanceof InvalidInput) return invalid({ fields: error.fields })
    throw error
  }
}
