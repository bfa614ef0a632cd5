import { auditLogOfInstallation } from '@sonde/queries'
import type { ActionArgs } from '@sonde/router/server'
import { operatorGrant } from '../../../../parts/access/page-grant.server.ts'
import { downloadAudit } from '../../../../parts/audit/audit-file.server.ts'
import type { AppContext } from '../../../../server/app-context.server.ts'

export async function action(args: ActionArgs<AppContext>) {
  const { queries } = args.context
  const grant = operatorGrant(args)
  return downloadAudit(args, {
    grant,
    read: (filter, limit) => auditLogOfInstallation(queries, grant, filter, limit),
    name: 'sonde-audit',
  })
}
