/** `…/issues/{id}/events/{latest, oldest, recommended, EVENT_ID}/`. */
import { EVENT_CHOICES, eventById, issueEvent } from '@sonde/queries'
import { type ApiContext, type ApiOptions, pathParam } from '../api-context.ts'
import { eventDetailJson } from '../serializers/event-detail.ts'
import type { OpenIssue } from './open-issue.ts'

export async function eventOfIssue(
  c: ApiContext,
  { queries }: ApiOptions,
  open: OpenIssue,
): Promise<Response> {
  const { issue } = await open(c, 'event:read')
  const ref = pathParam(c, 'event')
  const choice = EVENT_CHOICES.find((name) => name === ref)
  const detail = await (choice
    ? issueEvent(queries, issue, choice)
    : eventById(queries, { projectId: issue.project.id }, ref))
  // An id of the same project but another issue is not this issue's event.
  return detail?.issueId === issue.id ? c.json(eventDetailJson(detail)) : c.notFound()
}
