import { isPersonalTag } from '@sonde/protocol/personal-tag'
import { EVENT_CHOICES, eventById, type EventDetail, issueEvent } from '@sonde/queries'
import { z } from 'zod'
import { createAnswer } from '../answer/answer.ts'
import { breadcrumbLines, stackLines } from '../answer/event-text.ts'
import { timeText } from '../answer/figures.ts'
import { plainLine, plainText } from '../answer/plain-text.ts'
import { issue, type OpenedIssue, openIssue, organization, refused } from '../subject.ts'
import { defineTool, type ToolContext } from '../tool.ts'

const MAX_BREADCRUMBS = 30
const MAX_TAGS = 60

export const event = z
  .string()
  .max(40)
  .default('recommended')
  .describe('Id of an event of the issue, or latest, oldest, recommended (the newest that says most).')

/** Throws for one that is not there, or that is of another issue. */
export async function readEvent(
  { queries }: ToolContext,
  { issue: found }: Pick<OpenedIssue<'event:read'>, 'issue'>,
  ref: string,
): Promise<EventDetail> {
  const choice = EVENT_CHOICES.find((name) => name === ref)
  const detail = await (choice
    ? issueEvent(queries, found, choice)
    : eventById(queries, { projectId: found.project.id }, ref))
  if (detail?.issueId === found.id) return detail
  throw refused(
    'not-found',
    choice ? 'no event of the issue is kept any more' : 'the issue has no such event',
  )
}

export const getEvent = defineTool({
  name: 'get_event',
  title: 'Read an event',
  description:
    'One event of an issue: the stack trace with source code around the frames of the application, message, breadcrumbs, request, tags, and its trace. Who the user was, headers, cookies and bodies are left out.',
  permission: 'event:read',
  input: z.object({ organization, issue, event }),
  async run(context, args) {
    const { links } = context
    const opened = await openIssue(context, args, 'event:read')
    const { grant, issue: found } = opened
    const detail = await readEvent(context, opened, args.event)
    const { event: stored, neighbours } = detail
    const link = (id: string) => links.event(grant.orgSlug, found.project.slug, found.shortId, id)
    const answer = createAnswer().say(
      `Event ${stored.event_id} of ${found.shortId}, ${timeText(detail.timestampMs)}`,
      link(stored.event_id),
    )
    const trace = traceOf(stored.contexts?.['trace']?.['trace_id'])
    if (trace !== undefined) answer.say(`Trace ${trace}: ${links.trace(grant.orgSlug, trace)}`)
    const { previous, next } = neighboursOf(neighbours)
    if (previous !== undefined) answer.say(`Event before: ${previous}`)
    if (next !== undefined) answer.say(`Event after: ${next}`)
    const { title, culprit } = stored.derived
    const message = stored.logentry?.formatted ?? stored.logentry?.message ?? ''
    answer.data('What it says', [
      `title: ${plainLine(title, 500)}`,
      `in: ${plainLine(culprit, 300) || 'unknown'}`,
      `level: ${stored.level}, platform: ${plainLine(stored.platform, 40)}`,
      `release: ${plainLine(stored.release ?? '', 200) || 'unknown'}, environment: ${plainLine(stored.environment ?? '', 100) || 'unknown'}`,
      ...(stored.transaction === undefined ? [] : [`transaction: ${plainLine(stored.transaction, 200)}`]),
      ...(message === '' || message === title ? [] : [`message: ${plainText(message.slice(0, 2_000))}`]),
      ...requestLine(stored.request),
    ])
    answer.data('Stack trace, the newest call first', stackLines(stored), {
      maxChars: 9_000,
      more: 'The whole stack is on the page of the event.',
    })
    answer.data('Breadcrumbs, the newest last', breadcrumbLines(stored, MAX_BREADCRUMBS), { maxChars: 4_000 })
    answer.data(
      'Tags',
      Object.entries(detail.tags)
        .filter(([key]) => !isPersonalTag(key))
        .slice(0, MAX_TAGS)
        .map(([key, value]) => `- ${plainLine(key, 60)}: ${plainLine(value, 200)}`),
      { maxChars: 3_000 },
    )
    return answer
  },
})

/** Without query and body: they say who it was more often than what broke. */
function requestLine(request: EventDetail['event']['request']): readonly string[] {
  if (request?.url === undefined) return []
  return [`request: ${plainLine(`${request.method ?? 'GET'} ${request.url.split(/[?#]/)[0]}`, 400)}`]
}

const traceOf = (id: unknown): string | undefined =>
  typeof id === 'string' && /^[\da-f]{32}$/.test(id) ? id : undefined

const neighboursOf = (neighbours: EventDetail['neighbours']) => {
  const ids = neighbours as unknown as Readonly<Record<string, unknown>>
  const idOf = (name: string): string | undefined =>
    typeof ids[name] === 'string' && /^[\da-f]{32}$/.test(ids[name]) ? ids[name] : undefined
  return { previous: idOf('previous'), next: idOf('next') }
}
