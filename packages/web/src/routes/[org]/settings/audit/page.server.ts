import { mayAlso, requireAlso } from '@sonde/access'
import { auditLog } from '@sonde/queries'
import type { LoadArgs } from '@sonde/router/server'
import { orgGrant } from '../../../../parts/access/page-grant.server.ts'
import { readAuditFilter } from '../../../../parts/audit/audit-filter.server.ts'
import type { AppContext } from '../../../../server/app-context.server.ts'

export async function load(args: LoadArgs<AppContext, 'org'>) {
  const { queries, auditRetentionDays } = args.context
  const grant = await orgGrant(args, 'org:read')
  const { orgName } = grant
  // The link is on every page of the settings: who follows it is told whom to ask.
  if (!mayAlso(grant, 'audit:read')) return { orgName, log: undefined }
  const { shown, filter } = readAuditFilter((name) => args.url.searchParams.get(name) ?? '')
  const page = await auditLog(queries, requireAlso(grant, 'audit:read'), filter)
  const isFirst = filter.beforeId === undefined
  return { orgName, log: { page, shown, isFirst, retentionDays: auditRetentionDays } }
}
