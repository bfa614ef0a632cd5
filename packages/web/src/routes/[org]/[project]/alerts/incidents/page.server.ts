/** The incidents of a project, the newest first. */
import { mayAlso } from '@sonde/access'
import { alertRule, incidents } from '@sonde/queries'
import type { LoadArgs } from '@sonde/router/server'
import { projectGrant } from '../../../../../parts/access/page-grant.server.ts'
import type { AppContext } from '../../../../../server/app-context.server.ts'
import { readIncidentSearch, ROWS } from './incident-search.ts'

export async function load(args: LoadArgs<AppContext, 'org' | 'project'>) {
  const { queries } = args.context
  const grant = await projectGrant(args, 'alert:read')
  const { state, ruleId, page } = readIncidentSearch(args.url.searchParams)
  const [{ rows, total }, rule] = await Promise.all([
    incidents(queries, grant, {
      isOpen: state === '' ? undefined : state === 'open',
      ruleId,
      page,
      limit: ROWS,
    }),
    ruleId === undefined ? undefined : alertRule(queries, grant, ruleId),
  ])
  return {
    rows,
    total,
    ruleName: rule?.name,
    mayWrite: mayAlso(grant, 'alert:write'),
  }
}
