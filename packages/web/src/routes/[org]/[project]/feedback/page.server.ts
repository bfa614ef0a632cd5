/** What people wrote: a list by state, and one of it whole. */
import { type Grant, mayAlso } from '@sonde/access'
import {
  eventAttachments,
  eventById,
  findIssue,
  type IssueListRow,
  issueEvent,
  listIssues,
  projectKeys,
  replayMoment,
  SearchError,
} from '@sonde/queries'
import type { ActionArgs, LoadArgs } from '@sonde/router/server'
import { projectGrant } from '../../../../parts/access/page-grant.server.ts'
import { changeIssues } from '../../../../parts/issue-list/change-issues.server.ts'
import type { AppContext } from '../../../../server/app-context.server.ts'
import { type FeedbackSearch, issueQuery, readFeedbackSearch } from './feedback-search.ts'

const ROWS = 50
const MAX_PREVIEW = 160

export async function load(args: LoadArgs<AppContext, 'org' | 'project'>) {
  const { queries } = args.context
  const grant = await projectGrant(args, 'event:read')
  const search = readFeedbackSearch(args.url.searchParams)
  const common = { search, mayChange: mayAlso(grant, 'event:write') }
  try {
    const page = await listIssues(queries, {
      grant,
      query: issueQuery(search),
      limit: ROWS,
      cursor: search.cursor,
    })
    const shown = page.rows.find(({ id }) => id === search.shown)
    const isEmpty = page.rows.length === 0 && search.query === '' && search.tab === 'inbox'
    const keys = isEmpty ? await projectKeys(queries, grant) : []
    return {
      ...common,
      rows: page.rows.map(listed),
      next: page.next.hasResults ? page.next.cursor : undefined,
      hits: page.hits,
      detail: await loadDetail(args.context, grant, search, shown ?? page.rows[0]),
      dsn: keys.find((key) => key.isActive)?.dsn,
    }
  } catch (error) {
    if (!(error instanceof SearchError)) throw error
    return { ...common, rows: [], hits: 0, refusal: error.message }
  }
}

/** Resolves, reopens or moves to spam, and takes that back. */
export async function action(args: ActionArgs<AppContext, 'org' | 'project'>) {
  const grant = await projectGrant(args, 'event:write')
  return changeIssues(args, grant)
}

const said = ({ metadata }: Pick<IssueListRow, 'metadata'>) => ({
  name: metadata['name'] ?? '',
  email: metadata['contact_email'] ?? '',
  message: metadata['message'] ?? '',
  url: metadata['url'] ?? '',
  spam: metadata['spam'] ?? '',
})

function listed(row: IssueListRow) {
  const { message, ...rest } = said(row)
  return {
    id: row.id,
    shortId: row.shortId,
    ...rest,
    preview: message.length > MAX_PREVIEW ? `${message.slice(0, MAX_PREVIEW)}…` : message,
    culprit: row.culprit,
    receivedMs: row.firstSeenMs,
    assignee: row.assignee,
  }
}

async function loadDetail(
  { queries }: AppContext,
  grant: Grant<'event:read', 'project'>,
  search: FeedbackSearch,
  row: IssueListRow | undefined,
) {
  // One of another tab: a link from a mail, or from an issue.
  const asked =
    search.shown !== undefined && row?.id !== search.shown
      ? await findIssue(queries, grant, search.shown)
      : undefined
  const issue = asked?.type === 'feedback' ? asked : row
  if (!issue) return undefined
  const found = await issueEvent(queries, issue, 'latest')
  const event = found?.event
  const feedback = event?.contexts?.['feedback']
  const text = (name: string): string => {
    const value = feedback?.[name]
    return typeof value === 'string' ? value : ''
  }
  const traceId = event?.contexts?.['trace']?.['trace_id']
  const about = text('associated_event_id')
  const [files, linked, replay] = await Promise.all([
    event ? eventAttachments(queries, grant, event.event_id) : [],
    about === '' ? undefined : eventById(queries, grant, about),
    replayMoment(queries, grant, { replayId: text('replay_id'), atMs: found?.timestampMs ?? 0 }),
  ])
  const linkedIssue = linked && (await findIssue(queries, grant, linked.issueId))
  return {
    ...said(issue),
    // Whole, where the event is still kept.
    message: text('message') || said(issue).message,
    id: issue.id,
    shortId: issue.shortId,
    status: issue.status,
    source: text('source'),
    url: text('url') || event?.request?.url || '',
    route: event?.transaction ?? '',
    release: event?.release ?? '',
    environment: event?.environment ?? '',
    eventId: event?.event_id ?? '',
    about,
    linked: linkedIssue && { shortId: linkedIssue.shortId, title: linkedIssue.title },
    replayId: text('replay_id'),
    replay,
    traceId: typeof traceId === 'string' ? traceId : '',
    tags: (event?.tags ?? []).slice(0, MAX_TAGS).map(([key, value]) => [key, value] as const),
    receivedMs: issue.firstSeenMs,
    files: files.map(({ id, name, shownAs, bytes }) => ({ id, name, shownAs, bytes })),
  }
}
const MAX_TAGS = 40
