import type { ActionArgs } from '@sonde/router/server'
import { projectGrant } from '../../../../../../parts/access/page-grant.server.ts'
import { downloadPersonalData } from '../../../../../../parts/personal-data/personal-data.server.ts'
import type { AppContext } from '../../../../../../server/app-context.server.ts'

export async function action(args: ActionArgs<AppContext, 'org' | 'project'>) {
  return downloadPersonalData(args, await projectGrant(args, 'event:delete'))
}
