import { auditLogOfInstallation } from '@sonde/queries'
import type { LoadArgs } from '@sonde/router/server'
import { operatorGrant } from '../../../parts/access/page-grant.server.ts'
import { readAuditFilter } from '../../../parts/audit/audit-filter.server.ts'
import type { AppContext } from '../../../server/app-context.server.ts'

export async function load(args: LoadArgs<AppContext>) {
  const grant = operatorGrant(args)
  const { queries, auditRetentionDays } = args.context
  const { shown, filter } = readAuditFilter((name) => args.url.searchParams.get(name) ?? '')
  const page = await auditLogOfInstallation(queries, grant, filter)
  return { page, shown, isFirst: filter.beforeId === undefined, retentionDays: auditRetentionDays }
}
