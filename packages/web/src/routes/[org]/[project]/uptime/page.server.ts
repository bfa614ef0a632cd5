/** The uptime monitors of a project. */
import { mayAlso } from '@sonde/access'
import { uptimeMonitors } from '@sonde/queries'
import type { LoadArgs } from '@sonde/router/server'
import { projectGrant } from '../../../../parts/access/page-grant.server.ts'
import type { AppContext } from '../../../../server/app-context.server.ts'

export async function load(args: LoadArgs<AppContext, 'org' | 'project'>) {
  const grant = await projectGrant(args, 'alert:read')
  const rows = await uptimeMonitors(args.context.queries, grant)
  return {
    mayWrite: mayAlso(grant, 'alert:write'),
    monitors: rows.map(({ value, ...row }) => ({
      ...row,
      url: (JSON.parse(value) as { url?: string }).url ?? '',
    })),
  }
}
