import { type LoadArgs, notFound } from '@sonde/router/server'
import { orgGrant } from '../../../../../../parts/access/page-grant.server.ts'
import type { AppContext } from '../../../../../../server/app-context.server.ts'
import { loadSpan } from '../../load-span.server.ts'

export async function load(args: LoadArgs<AppContext, 'org' | 'trace' | 'span'>): Promise<Response> {
  const { trace: traceId, span: spanId } = args.params
  const found = await loadSpan(args.context.queries, await orgGrant(args, 'event:read'), { traceId, spanId })
  return found ? Response.json(found, { headers: { 'cache-control': 'private, no-store' } }) : notFound()
}
