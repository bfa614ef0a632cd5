/** The issue screen and the event screen are one: an issue with one of its events. */
import type { ProjectScope } from '@sonde/access'
import { updateIssues } from '@sonde/commands'
import {
  EVENT_CHOICES,
  type EventChoice,
  type EventDetail,
  eventById,
  findIssue,
  groupingReason,
  issueDetail,
  issueEvent,
  type IssueRow,
} from '@sonde/queries'
import { type ActionArgs, httpError, type LoadArgs, notFound, redirect } from '@sonde/router/server'
import { isShownStatus } from '../issue/shown-status.ts'
import type { EventRef } from '../paths.ts'
import type { AppContext } from './app-context.ts'
import { mayInOrg, projectScope, requireViewer } from './page-scope.ts'

type Args = LoadArgs<AppContext, 'org' | 'project' | 'issue'>

/** `event`: undefined when retention has removed all of the issue's events. */
export async function loadIssuePage(args: Args, ref: EventRef) {
  const { queries } = args.context
  const scope = await projectScope(args, 'event:read')
  const issue = (await issueDetail(queries, scope, args.params.issue)) ?? notFound()
  const [detail, mayChange] = await Promise.all([
    findEvent(args.context, scope, issue, ref),
    mayInOrg(args, 'event:write'),
  ])
  // An event that is asked for by its id is there or the page is not.
  if (!detail && !isChoice(ref)) return notFound()
  const grouping = detail && (await groupingReason(queries, issue, detail.event))
  return { issue, detail, grouping, mayChange, choice: isChoice(ref) ? ref : 'id' }
}

async function findEvent(
  { queries }: Pick<AppContext, 'queries'>,
  scope: ProjectScope,
  issue: IssueRow,
  ref: EventRef,
): Promise<EventDetail | undefined> {
  if (isChoice(ref)) return issueEvent(queries, issue, ref)
  const detail = await eventById(queries, scope, ref)
  return detail?.issueId === issue.id ? detail : undefined
}

const isChoice = (ref: string): ref is EventChoice => (EVENT_CHOICES as readonly string[]).includes(ref)

/** Resolves, ignores or reopens, then shows the same page. */
export async function changeIssue(args: ActionArgs<AppContext, 'org' | 'project' | 'issue'>) {
  const { context, params, formData, url } = args
  const viewer = requireViewer(args)
  const issue = await findIssue(context.queries, await projectScope(args, 'event:write'), params.issue)
  if (!issue) return notFound()
  const status = (await formData()).get('status')
  if (!isShownStatus(status)) return httpError(400)
  await updateIssues(context.commands, viewer, {
    org: params.org,
    project: params.project,
    ids: [issue.id],
    status,
  })
  return redirect(url.pathname + url.search, 303)
}
