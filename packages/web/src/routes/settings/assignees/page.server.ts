/** JSON for the menus that assign issues: `?org=acme`, and `&project=shop` for who sees that. */
import { assigneeChoices } from '@sonde/queries'
import type { LoadArgs } from '@sonde/router/server'
import { orgGrant, projectGrant } from '../../../parts/access/page-grant.server.ts'
import type { AppContext } from '../../../server/app-context.server.ts'

export async function load({ context, url }: LoadArgs<AppContext>): Promise<Response> {
  const org = url.searchParams.get('org') ?? ''
  const project = url.searchParams.get('project')
  const grant =
    project === null
      ? await orgGrant({ context, url, params: { org } }, 'event:read')
      : await projectGrant({ context, url, params: { org, project } }, 'event:read')
  const choices = await assigneeChoices(context.queries, grant)
  return Response.json({ choices }, { headers: { 'cache-control': 'private, no-store' } })
}
