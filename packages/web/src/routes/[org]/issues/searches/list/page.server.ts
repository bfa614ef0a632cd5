/** JSON for the menu beside the search of issues. */
import { savedSearches } from '@sonde/queries'
import type { LoadArgs } from '@sonde/router/server'
import { orgGrant } from '../../../../../parts/access/page-grant.server.ts'
import type { AppContext } from '../../../../../server/app-context.server.ts'

export async function load(args: LoadArgs<AppContext, 'org'>): Promise<Response> {
  const searches = await savedSearches(args.context.queries, await orgGrant(args, 'event:read'))
  return Response.json({ searches }, { headers: { 'cache-control': 'private, no-store' } })
}
