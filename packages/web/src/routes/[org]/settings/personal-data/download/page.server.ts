import type { ActionArgs } from '@sonde/router/server'
import { orgGrant } from '../../../../../parts/access/page-grant.server.ts'
import { downloadPersonalData } from '../../../../../parts/personal-data/personal-data.server.ts'
import type { AppContext } from '../../../../../server/app-context.server.ts'

export async function action(args: ActionArgs<AppContext, 'org'>) {
  return downloadPersonalData(args, await orgGrant(args, 'event:delete'))
}
