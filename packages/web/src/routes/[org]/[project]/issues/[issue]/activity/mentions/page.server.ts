/** JSON for the field of comments: people and teams whose names go on like what is typed. */
import { mentionable } from '@sonde/queries'
import type { LoadArgs } from '@sonde/router/server'
import { projectGrant } from '../../../../../../../parts/access/page-grant.server.ts'
import type { AppContext } from '../../../../../../../server/app-context.server.ts'

const MAX_TYPED = 100

export async function load(args: LoadArgs<AppContext, 'org' | 'project' | 'issue'>): Promise<Response> {
  const grant = await projectGrant(args, 'event:write')
  const typed = (args.url.searchParams.get('q') ?? '').slice(0, MAX_TYPED)
  const found = await mentionable(args.context.queries, grant, typed)
  return Response.json(found, { headers: { 'cache-control': 'private, no-store' } })
}
