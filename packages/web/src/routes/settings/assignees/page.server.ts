/** JSON for the menus that assign issues: `?org=acme`. */
import { assigneeChoices } from '@sonde/queries'
import type { LoadArgs } from '@sonde/router/server'
import { orgGrant } from '../../../parts/access/page-grant.server.ts'
import type { AppContext } from '../../../server/app-context.server.ts'

export async function load({ context, url }: LoadArgs<AppContext>): Promise<Response> {
  const org = url.searchParams.get('org') ?? ''
  const grant = await orgGrant({ context, url, params: { org } }, 'event:read')
  const choices = await assigneeChoices(context.queries, grant)
  return Response.json({ choices }, { headers: { 'cache-control': 'private, no-store' } })
}
