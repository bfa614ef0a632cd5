import type { ActionArgs, LoadArgs } from '@sonde/router/server'
import { projectGrant } from '../../../../../parts/access/page-grant.server.ts'
import { tellable } from '../../../../../parts/alerts/tellable.server.ts'
import type { AppContext } from '../../../../../server/app-context.server.ts'
import { saveMonitor } from '../save-monitor.server.ts'

export async function load(args: LoadArgs<AppContext, 'org' | 'project'>) {
  return tellable(args, await projectGrant(args, 'alert:write'))
}

export const action = (args: ActionArgs<AppContext, 'org' | 'project'>) => saveMonitor(args, undefined)
