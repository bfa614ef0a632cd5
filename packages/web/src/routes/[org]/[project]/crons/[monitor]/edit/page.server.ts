import { requireAlso } from '@sonde/access'
import type { Action } from '@sonde/alerts'
import type { ActionArgs, LoadArgs } from '@sonde/router/server'
import { projectGrant } from '../../../../../../parts/access/page-grant.server.ts'
import { tellable } from '../../../../../../parts/alerts/tellable.server.ts'
import type { AppContext } from '../../../../../../server/app-context.server.ts'
import { cronDraftOf } from '../../cron-draft.ts'
import { saveCron } from '../../save-cron.server.ts'
import { tryCron } from '../../try-cron.server.ts'
import { cronOf } from '../cron-of.server.ts'

type Param = 'org' | 'project' | 'monitor'

export async function load(args: LoadArgs<AppContext, Param>) {
  const { context, params } = args
  const grant = await projectGrant(args, 'alert:write')
  const { monitor, config } = await cronOf(context, requireAlso(grant, 'alert:read'), Number(params.monitor))
  const { id, name, slug, owner } = monitor
  const actions = JSON.parse(monitor.actions) as readonly Action[]
  const draft = cronDraftOf({ name, slug, owner, config, actions })
  return { id, name, draft, tried: tryCron(draft, context.clock.nowMs()), ...(await tellable(args, grant)) }
}

export const action = async (args: ActionArgs<AppContext, Param>) => {
  const grant = await projectGrant(args, 'alert:write')
  const { monitor } = await cronOf(
    args.context,
    requireAlso(grant, 'alert:read'),
    Number(args.params.monitor),
  )
  return saveCron(args, monitor)
}
