/** What a language model is told of an issue: gathered for the button that copies it and for an explanation. */
import { randomBytes } from 'node:crypto'
import type { Grant } from '@sonde/access'
import {
  eventById,
  issueDetail,
  issueEvent,
  suspectCommits,
  type TraceNavigation,
  traceNavigations,
  traceOutline,
} from '@sonde/queries'
import { type LoadArgs, notFound } from '@sonde/router/server'
import { issuePrompt } from '../../../../../parts/prompt/issue-prompt.ts'
import { summariseTrace } from '../../../../../parts/trace/summarise-trace.server.ts'
import { paths } from '../../../../../paths.ts'
import type { AppContext } from '../../../../../server/app-context.server.ts'

type Args = LoadArgs<AppContext, 'org' | 'project' | 'issue'>

const MAX_COMMITS = 3
/** Eight lines of it are told. */
const MAX_SPANS = 2_000

/** `eventId`: of the issue; absent: the latest. Answers 404 where there is none. */
export async function loadPrompt(
  args: Args,
  grant: Grant<'event:read', 'project'>,
  eventId: string | undefined,
): Promise<string> {
  const { queries, publicUrl } = args.context
  const { org, project } = args.params
  const issue = (await issueDetail(queries, grant, args.params.issue)) ?? notFound()
  const detail =
    eventId === undefined
      ? await issueEvent(queries, issue, 'latest')
      : await eventById(queries, grant, eventId)
  if (!detail || detail.issueId !== issue.id) return notFound()
  const { event } = detail
  const [suspects, around] = await Promise.all([
    suspectCommits(queries, grant, { issueId: issue.id, event, limit: MAX_COMMITS }),
    loadTrace(args, grant, event.contexts?.trace, detail.timestampMs),
  ])
  return issuePrompt({
    event,
    issue,
    url: publicUrl + paths.event(org, project, issue.shortId, event.event_id),
    commits: suspects?.commits ?? [],
    ...around,
    boundary: randomBytes(8).toString('hex'),
  })
}

async function loadTrace(
  { context: { queries } }: Args,
  grant: Grant<'event:read', 'project'>,
  ids: { readonly trace_id?: unknown; readonly span_id?: unknown } | undefined,
  atMs: number,
) {
  const traceId = ids?.trace_id
  if (typeof traceId !== 'string') return { trace: undefined, navigation: undefined }
  const [outline, navigations] = await Promise.all([
    traceOutline(queries, grant, { traceId, maxSpans: MAX_SPANS }),
    traceNavigations(queries, grant, traceId),
  ])
  const spanId = typeof ids?.span_id === 'string' ? ids.span_id : ''
  return {
    trace: outline && summariseTrace(outline, spanId),
    navigation: navigationAt(navigations, atMs),
  }
}

/** The one that was under way, or the last before. */
const navigationAt = (navigations: readonly TraceNavigation[], atMs: number): TraceNavigation | undefined =>
  navigations.findLast((navigation) => navigation.atMs <= atMs) ?? navigations[0]
