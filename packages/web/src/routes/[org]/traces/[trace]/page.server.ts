import { type LoadArgs, notFound } from '@sonde/router/server'
import type { AppContext } from '../../../../server/app-context.ts'
import { orgScope } from '../../../../server/page-scope.ts'
import { loadSpan } from '../../../../trace/load-span.server.ts'
import { loadTrace } from '../../../../trace/load-trace.server.ts'

export async function load(args: LoadArgs<AppContext, 'org' | 'trace'>) {
  const { queries } = args.context
  const scope = await orgScope(args, 'event:read')
  const { searchParams } = args.url
  const traceId = args.params.trace
  const spanId = searchParams.get('span')
  const [trace, span] = await Promise.all([
    loadTrace(queries, scope, { traceId, root: searchParams.get('root') ?? undefined }),
    spanId === null ? undefined : loadSpan(queries, scope, { traceId, spanId }),
  ])
  return trace ? { ...trace, span } : notFound()
}
