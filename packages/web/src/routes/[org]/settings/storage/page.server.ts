import { mayAlso, requireAlso } from '@sonde/access'
import { organizationStorage } from '@sonde/queries'
import type { LoadArgs } from '@sonde/router/server'
import { orgGrant } from '../../../../parts/access/page-grant.server.ts'
import { kindNames } from '../../../../parts/storage/kind-names.server.ts'
import type { AppContext } from '../../../../server/app-context.server.ts'

export async function load(args: LoadArgs<AppContext, 'org'>) {
  const grant = await orgGrant(args, 'org:read')
  const { orgName } = grant
  // The link is on every page of the settings: who follows it is told whom to ask.
  if (!mayAlso(grant, 'audit:read')) return { orgName, names: kindNames(), storage: undefined }
  const storage = await organizationStorage(args.context.queries, requireAlso(grant, 'audit:read'))
  return { orgName, names: kindNames(), storage }
}
