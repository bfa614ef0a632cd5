import { type LoadArgs, notFound } from '@sonde/router/server'
import type { AppContext } from '../../../../server/app-context.server.ts'
import { orgGrant } from '../../../../parts/access/page-grant.server.ts'
import { loadSpan } from './load-span.server.ts'
import { loadTrace } from './load-trace.server.ts'

export async function load(args: LoadArgs<AppContext, 'org' | 'trace'>) {
  const { queries } = args.context
  const grant = await orgGrant(args, 'event:read')
  const { searchParams } = args.url
  const traceId = args.params.trace
  const spanId = searchParams.get('span')
  const [trace, span] = await Promise.all([
    loadTrace(queries, grant, { traceId, root: searchParams.get('root') ?? undefined }),
    spanId === null ? undefined : loadSpan(queries, grant, { traceId, spanId }),
  ])
  return trace ? { ...trace, span } : notFound()
}
