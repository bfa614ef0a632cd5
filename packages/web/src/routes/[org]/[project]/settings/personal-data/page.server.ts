import type { ActionArgs, LoadArgs } from '@sonde/router/server'
import { projectGrant } from '../../../../../parts/access/page-grant.server.ts'
import {
  changePersonalData,
  loadPersonalData,
} from '../../../../../parts/personal-data/personal-data.server.ts'
import { paths } from '../../../../../paths.ts'
import type { AppContext } from '../../../../../server/app-context.server.ts'

export async function load(args: LoadArgs<AppContext, 'org' | 'project'>) {
  return loadPersonalData(args.context, await projectGrant(args, 'event:delete'))
}

export async function action(args: ActionArgs<AppContext, 'org' | 'project'>) {
  const grant = await projectGrant(args, 'event:delete')
  return changePersonalData(args, grant, paths.personalData(grant.orgSlug, grant.projectSlug))
}
