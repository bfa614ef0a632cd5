import { groupingReason } from '@sonde/queries'
import { z } from 'zod'
import { createAnswer } from '../answer/answer.ts'
import { plainLine } from '../answer/plain-text.ts'
import { issue, openIssue, organization } from '../subject.ts'
import { defineTool } from '../tool.ts'
import { event, readEvent } from './get-event.ts'

const MAX_HASHES = 20

export const explainGrouping = defineTool({
  name: 'explain_grouping',
  title: 'Explain why an event is in its issue',
  description:
    'Which values of an event decided its issue, in order, what was normalised away, and which rule of the project decided. Use it when issues are split or mixed wrongly.',
  permission: 'event:read',
  input: z.object({ organization, issue, event }),
  async run(context, args) {
    const opened = await openIssue(context, args, 'event:read')
    const { event: stored } = await readEvent(context, opened, args.event)
    const { trace, hashes } = await groupingReason(context.queries, opened.issue, stored)
    const answer = createAnswer().say(`${opened.issue.shortId}, event ${stored.event_id}`, opened.url)
    if (!trace) return answer.say('How this event was grouped was not kept: it is older than that.')
    answer.say(
      `Grouping ${trace.version}, by ${trace.basis}${trace.rule === undefined ? '' : ', as a rule of the project says'}`,
      `Hashes of this event, the first one counts: ${trace.hashes.slice(0, 3).join(' ')}`,
      `${hashes.length} hashes lead to the issue: ${hashes
        .slice(0, MAX_HASHES)
        .map(({ hash, isOfEvent }) => `${hash}${isOfEvent ? ' (of this event)' : ''}`)
        .join(', ')}`,
    )
    answer.data(
      'The values that decided, in order',
      trace.parts.map(({ from, value, note }, at) => {
        const why = note === undefined ? '' : ` (${plainLine(note, 200)})`
        return `${at + 1}. ${plainLine(from, 200)}: ${plainLine(value, 300)}${why}`
      }),
      { maxChars: 10_000, more: 'The page of the event has all of them.' },
    )
    answer.data('Rules that took part', [
      ...(trace.rule === undefined ? [] : [`fingerprint rule: ${plainLine(trace.rule, 500)}`]),
      ...(trace.stackRules ?? []).map(
        ({ rule, frames }) => `stack rule, changed ${frames} frames: ${plainLine(rule, 500)}`,
      ),
    ])
    return answer
  },
})
