import { addComment, MAX_COMMENT_CHARS } from '@sonde/commands'
import { z } from 'zod'
import { createAnswer } from '../answer/answer.ts'
import { issue, openIssue, organization } from '../subject.ts'
import { defineTool } from '../tool.ts'

export const addCommentTool = defineTool({
  name: 'add_comment',
  title: 'Comment on an issue',
  description:
    'Writes a comment (Markdown) into the activity of an issue, where people read it and may be told by mail. Only when the person you work for asked for it. @name and #team mention people.',
  permission: 'event:write',
  changes: { isRepeatable: false },
  input: z.object({ organization, issue, text: z.string().min(1).max(MAX_COMMENT_CHARS) }),
  async run(context, args) {
    const { grant, issue: found, url } = await openIssue(context, args, 'event:write')
    const { id } = await addComment(context.commands, grant, { issueId: found.id, text: args.text })
    return createAnswer().say(`Comment ${id} was added to ${found.shortId}: ${url}/activity`)
  },
})
