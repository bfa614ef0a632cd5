import { listProjects, projectKeys } from '@sonde/queries'
import { type LoadArgs, notFound } from '@sonde/router/server'
import type { AppContext } from '../../../../server/app-context.ts'
import { projectScope } from '../../../../server/page-scope.ts'

export async function load(args: LoadArgs<AppContext, 'org' | 'project'>) {
  const { queries } = args.context
  const scope = await projectScope(args, 'project:read')
  const [[project], keys] = await Promise.all([listProjects(queries, scope), projectKeys(queries, scope)])
  if (!project) return notFound()
  return { project, keys }
}
