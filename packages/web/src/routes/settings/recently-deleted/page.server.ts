/** Organizations that were deleted and can still be restored: by their owners, and by who looks after the installation. */
import { deletedOrganizations } from '@sonde/queries'
import type { ActionArgs, LoadArgs } from '@sonde/router/server'
import { requireViewer } from '../../../parts/access/page-grant.server.ts'
import { changeDeleted } from '../../../parts/deleted/change-deleted.server.ts'
import { paths } from '../../../paths.ts'
import type { AppContext } from '../../../server/app-context.server.ts'

export async function load(args: LoadArgs<AppContext>) {
  return { lines: await deletedOrganizations(args.context.queries, requireViewer(args)) }
}

export const action = (args: ActionArgs<AppContext>) => changeDeleted(args, paths.deletedOrganizations())
