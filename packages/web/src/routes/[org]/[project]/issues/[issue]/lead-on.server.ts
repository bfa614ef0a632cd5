/** Addresses of before: of an issue that became part of another, and of an event that has another issue now. */
import type { Grant } from '@sonde/access'
import { eventById, findIssue, type IssueRow, namesIssue } from '@sonde/queries'
import { redirect } from '@sonde/router/server'
import type { AppContext } from '../../../../../server/app-context.server.ts'

type Requested = {
  readonly context: Pick<AppContext, 'queries'>
  readonly params: { readonly issue: string }
  readonly url: URL
}

/** Ends the load with a redirect unless the address names this issue. For now: what was merged may be given back. */
export function leadOn({ params, url }: Requested, issue: Pick<IssueRow, 'id' | 'shortId'>): void {
  if (!namesIssue(issue, params.issue)) redirect(addressWith(url, issue.shortId), 307)
}

/** To the event's own issue, where it has one; it may have yet another tomorrow. */
export async function leadToIssueOf(
  { context, url }: Requested,
  grant: Grant<'event:read', 'project'>,
  eventId: string,
): Promise<void> {
  const found = await eventById(context.queries, grant, eventId)
  const issue = found && (await findIssue(context.queries, grant, found.issueId))
  const address = issue && addressWith(url, issue.shortId)
  if (address !== undefined && address !== url.pathname + url.search) redirect(address, 307)
}

/** `/acme/shop/issues/SHOP-1/events/…` with another issue. */
function addressWith(url: URL, shortId: string): string {
  const [start = '', org = '', project = '', issues = '', , ...rest] = url.pathname.split('/')
  return [start, org, project, issues, encodeURIComponent(shortId), ...rest].join('/') + url.search
}
