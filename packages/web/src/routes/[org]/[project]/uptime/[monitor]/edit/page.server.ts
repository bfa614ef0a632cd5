import { requireAlso } from '@sonde/access'
import type { ActionArgs, LoadArgs } from '@sonde/router/server'
import { projectGrant } from '../../../../../../parts/access/page-grant.server.ts'
import { tellable } from '../../../../../../parts/alerts/tellable.server.ts'
import type { AppContext } from '../../../../../../server/app-context.server.ts'
import { draftOf } from '../../monitor-draft.ts'
import { saveMonitor } from '../../save-monitor.server.ts'
import { monitorOf } from '../monitor-of.server.ts'

export async function load(args: LoadArgs<AppContext, 'org' | 'project' | 'monitor'>) {
  const grant = await projectGrant(args, 'alert:write')
  const { row, monitor } = await monitorOf(
    args.context,
    requireAlso(grant, 'alert:read'),
    Number(args.params.monitor),
  )
  return { id: row.id, name: row.name, draft: draftOf(row.name, monitor), ...(await tellable(args, grant)) }
}

export const action = async (args: ActionArgs<AppContext, 'org' | 'project' | 'monitor'>) => {
  const grant = await projectGrant(args, 'alert:write')
  const { row } = await monitorOf(args.context, requireAlso(grant, 'alert:read'), Number(args.params.monitor))
  return saveMonitor(args, row.id)
}
