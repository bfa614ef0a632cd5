import { type LoadArgs, notFound } from '@sonde/router/server'
import type { AppContext } from '../../../../../../server/app-context.server.ts'
import { orgScope } from '../../../../../../parts/access/page-scope.server.ts'
import { loadSpan } from '../../load-span.server.ts'

export async function load(args: LoadArgs<AppContext, 'org' | 'trace' | 'span'>): Promise<Response> {
  const { trace: traceId, span: spanId } = args.params
  const found = await loadSpan(args.context.queries, await orgScope(args, 'event:read'), { traceId, spanId })
  return found ? Response.json(found, { headers: { 'cache-control': 'private, no-store' } }) : notFound()
}
