import { traceNavigations, traceOutline } from '@sonde/queries'
import type { LoadArgs } from '@sonde/router/server'
import type { AppContext } from '../../../../../server/app-context.server.ts'
import { orgGrant } from '../../../../../parts/access/page-grant.server.ts'
import { summariseTrace } from '../../../../../parts/trace/summarise-trace.ts'

// A summary of eight lines is not worth laying out more; the trace's own screen does.
const MAX_SPANS = 2_000

const HEADERS = { 'cache-control': 'private, no-store' } as const

/** The trace around an error as JSON; nothing in it when no span is stored, which is usual and no failure. */
export async function load(args: LoadArgs<AppContext, 'org' | 'trace'>): Promise<Response> {
  const { queries } = args.context
  const grant = await orgGrant(args, 'event:read')
  const traceId = args.params.trace
  const [outline, navigations] = await Promise.all([
    traceOutline(queries, grant, { traceId, maxSpans: MAX_SPANS }),
    traceNavigations(queries, grant, traceId),
  ])
  if (!outline || outline.spans.length + navigations.length === 0)
    return Response.json({}, { headers: HEADERS })
  const summary = {
    ...summariseTrace(outline, args.url.searchParams.get('span') ?? ''),
    navigations: navigations.map(({ projectId, ...navigation }) => ({
      ...navigation,
      project: outline.projects.get(projectId)?.slug ?? '',
    })),
  }
  return Response.json(summary, { headers: HEADERS })
}
