/** Issues, events and projects of an organization that were deleted and can still be restored. */
import { recentlyDeleted } from '@sonde/queries'
import type { ActionArgs, LoadArgs } from '@sonde/router/server'
import { orgGrant } from '../../../../parts/access/page-grant.server.ts'
import { changeDeleted } from '../../../../parts/deleted/change-deleted.server.ts'
import { paths } from '../../../../paths.ts'
import type { AppContext } from '../../../../server/app-context.server.ts'

export async function load(args: LoadArgs<AppContext, 'org'>) {
  const grant = await orgGrant(args, 'event:delete')
  const before = args.url.searchParams.get('before') ?? ''
  const page = await recentlyDeleted(args.context.queries, grant, {
    before: /^\d{1,15}$/.test(before) ? Number(before) : undefined,
  })
  return { orgName: grant.orgName, isFirst: before === '', ...page }
}

export async function action(args: ActionArgs<AppContext, 'org'>) {
  const grant = await orgGrant(args, 'event:delete')
  return changeDeleted(args, paths.recentlyDeleted(grant.orgSlug))
}
