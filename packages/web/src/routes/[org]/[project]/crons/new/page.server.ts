import type { ActionArgs, LoadArgs } from '@sonde/router/server'
import { projectGrant } from '../../../../../parts/access/page-grant.server.ts'
import { tellable } from '../../../../../parts/alerts/tellable.server.ts'
import type { AppContext } from '../../../../../server/app-context.server.ts'
import { newCronDraft } from '../cron-draft.ts'
import { saveCron } from '../save-cron.server.ts'
import { tryCron } from '../try-cron.server.ts'

export async function load(args: LoadArgs<AppContext, 'org' | 'project'>) {
  const { viewer, clock } = args.context
  const draft = newCronDraft(viewer?.timeZone ?? 'UTC')
  const told = await tellable(args, await projectGrant(args, 'alert:write'))
  return { draft, tried: tryCron(draft, clock.nowMs()), ...told }
}

export const action = (args: ActionArgs<AppContext, 'org' | 'project'>) => saveCron(args, undefined)
