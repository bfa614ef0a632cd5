import { mayAlso, requireAlso } from '@sonde/access'
import type { ActionArgs, LoadArgs } from '@sonde/router/server'
import { orgGrant } from '../../../../parts/access/page-grant.server.ts'
import { changePersonalData, loadPersonalData } from '../../../../parts/personal-data/personal-data.server.ts'
import { paths } from '../../../../paths.ts'
import type { AppContext } from '../../../../server/app-context.server.ts'

export async function load(args: LoadArgs<AppContext, 'org'>) {
  const grant = await orgGrant(args, 'org:read')
  const { orgName } = grant
  // The link is on every page of the settings: who follows it is told whom to ask.
  if (!mayAlso(grant, 'event:delete')) return { orgName, data: undefined }
  return { orgName, data: await loadPersonalData(args.context, requireAlso(grant, 'event:delete')) }
}

export async function action(args: ActionArgs<AppContext, 'org'>) {
  const grant = await orgGrant(args, 'event:delete')
  return changePersonalData(args, grant, paths.orgPersonalData(grant.orgSlug))
}
