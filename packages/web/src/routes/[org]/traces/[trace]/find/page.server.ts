import { findSpans } from '@sonde/queries'
import type { LoadArgs } from '@sonde/router/server'
import { orgGrant } from '../../../../../parts/access/page-grant.server.ts'
import type { AppContext } from '../../../../../server/app-context.server.ts'

export async function load(args: LoadArgs<AppContext, 'org' | 'trace'>): Promise<Response> {
  const grant = await orgGrant(args, 'event:read')
  const text = args.url.searchParams.get('text') ?? ''
  const found = await findSpans(args.context.queries, grant, { traceId: args.params.trace, text })
  return Response.json(found, { headers: { 'cache-control': 'private, no-store' } })
}
