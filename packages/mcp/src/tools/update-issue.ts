import { changeIssues, type IssuesChange } from '@sonde/commands'
import { findIssue } from '@sonde/queries'
import { z } from 'zod'
import { createAnswer } from '../answer/answer.ts'
import { plainLine } from '../answer/plain-text.ts'
import { issue, openIssue, organization, refused } from '../subject.ts'
import { defineTool } from '../tool.ts'

const input = z.object({
  organization,
  issue,
  status: z.enum(['resolved', 'unresolved', 'ignored']).optional().describe('ignored archives it.'),
  resolvedInNextRelease: z
    .boolean()
    .default(false)
    .describe('With resolved: events of the release that runs now do not bring it back.'),
  assignee: z
    .string()
    .max(200)
    .optional()
    .describe('An e-mail address of a member, #team, me, or the empty text for nobody.'),
})

export const updateIssue = defineTool({
  name: 'update_issue',
  title: 'Resolve, archive, reopen or assign an issue',
  description:
    'Changes the state or the assignee of one issue. Only when the person you work for asked for it. The change stands in the activity of the issue and can be undone there.',
  permission: 'event:write',
  changes: { isRepeatable: true },
  input,
  async run(context, args) {
    const { grant, issue: found, url } = await openIssue(context, args, 'event:write')
    const change = changeOf(args)
    if (Object.keys(change).length === 0) throw refused('invalid', 'say status or assignee')
    const { count } = await changeIssues(context.commands, grant, change, { ids: [found.id] })
    if (count === 0) throw refused('forbidden', 'the token may not change issues of this project')
    const now = await findIssue(context.queries, grant, found.id)
    if (!now) throw refused('not-found', 'the issue is gone')
    return createAnswer()
      .say(
        `${now.shortId} is ${now.status}${now.resolvedIn === 'next_release' ? ' in the next release' : ''}: ${url}`,
      )
      .data('Assigned to', [now.assignee ? plainLine(now.assignee.name, 100) : 'nobody'])
  },
})

function changeOf({ status, resolvedInNextRelease, assignee }: z.output<typeof input>): IssuesChange {
  const isNext = status === 'resolved' && resolvedInNextRelease
  return {
    ...(status !== undefined && {
      state: { status, ...(isNext && { resolution: { kind: 'next_release' } }) },
    }),
    ...(assignee !== undefined && { assignee }),
  }
}
