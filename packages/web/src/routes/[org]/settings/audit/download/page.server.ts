import { noteAuditExport } from '@sonde/commands'
import { auditLog, walkAuditLog } from '@sonde/queries'
import type { ActionArgs } from '@sonde/router/server'
import { orgGrant } from '../../../../../parts/access/page-grant.server.ts'
import { auditFile } from '../../../../../parts/audit/audit-file.server.ts'
import { readAuditFilter } from '../../../../../parts/audit/audit-filter.server.ts'
import { fieldsOf } from '../../../../../parts/forms/posted-fields.ts'
import type { AppContext } from '../../../../../server/app-context.server.ts'

/** Every entry that matches, as a file. */
export async function action(args: ActionArgs<AppContext, 'org'>) {
  const { queries, commands } = args.context
  const grant = await orgGrant(args, 'audit:read')
  const posted = fieldsOf(await args.formData())
  const { shown, filter } = readAuditFilter(posted.text)
  const format = posted.text('format') === 'json' ? 'json' : 'csv'
  await noteAuditExport(commands, grant, { ...shown, format })
  const pages = walkAuditLog((each, limit) => auditLog(queries, grant, each, limit), filter)
  return auditFile(pages, format, `sonde-audit-${grant.orgSlug}`)
}
