import { traceNavigations, traceOutline } from '@sonde/queries'
import type { LoadArgs } from '@sonde/router/server'
import { orgGrant } from '../../../../../parts/access/page-grant.server.ts'
import { summariseTrace } from '../../../../../parts/trace/summarise-trace.server.ts'
import type { AppContext } from '../../../../../server/app-context.server.ts'

// A summary has eight lines: laying out more spans is left to the screen of the trace.
const MAX_SPANS = 2_000

const HEADERS = { 'cache-control': 'private, no-store' } as const

/** The trace around an error as JSON; an empty object when no span is stored, which is usual. */
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
