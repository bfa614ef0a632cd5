import { auditLog } from '@sonde/queries'
import type { ActionArgs } from '@sonde/router/server'
import { orgGrant } from '../../../../../parts/access/page-grant.server.ts'
import { downloadAudit } from '../../../../../parts/audit/audit-file.server.ts'
import type { AppContext } from '../../../../../server/app-context.server.ts'

export async function action(args: ActionArgs<AppContext, 'org'>) {
  const { queries } = args.context
  const grant = await orgGrant(args, 'audit:read')
  return downloadAudit(args, {
    grant,
    read: (filter, limit) => auditLog(queries, grant, filter, limit),
    name: `sonde-audit-${grant.orgSlug}`,
  })
}
