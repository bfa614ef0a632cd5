import { suspectCommits } from '@sonde/queries'
import { z } from 'zod'
import { createAnswer } from '../answer/answer.ts'
import { timeText } from '../answer/figures.ts'
import { plainLine } from '../answer/plain-text.ts'
import { issue, openIssue, organization } from '../subject.ts'
import { defineTool } from '../tool.ts'
import { event, readEvent } from './get-event.ts'

const MAX_COMMITS = 10

export const getSuspectCommits = defineTool({
  name: 'get_suspect_commits',
  title: 'Find suspect commits',
  description:
    'Commits that probably caused an issue: those of the release that brought it which changed files on its stack. Needs releases with commits.',
  permission: 'event:read',
  input: z.object({ organization, issue, event }),
  async run(context, args) {
    const opened = await openIssue(context, args, 'event:read')
    const { grant: org, issue: found } = opened
    const grant = await context.grants.openProject(org.orgSlug, found.project.slug, 'event:read')
    const { event: stored } = await readEvent(context, opened, args.event)
    const suspects = await suspectCommits(context.queries, grant, {
      issueId: found.id,
      event: stored,
      limit: MAX_COMMITS,
    })
    const answer = createAnswer().say(`${found.shortId}: ${opened.url}`)
    if (!suspects)
      return answer.say('No release is known to have brought this issue, so there are no suspect commits.')
    if (suspects.commits.length === 0)
      return answer.say(
        'No commit of the release that brought it, or of those before, changed a file on the stack.',
      )
    return answer
      .say(`${suspects.commits.length} commits, the nearest to where it was thrown first`)
      .data('Commits', [
        `release: ${plainLine(suspects.release, 250)}`,
        ...suspects.commits.map((commit) => {
          const where = `${commit.path}${commit.line === undefined ? '' : `:${commit.line}`}${commit.function === undefined ? '' : ` in ${commit.function}`}`
          return `- ${plainLine(commit.sha, 40)} of ${timeText(commit.atMs)} by ${plainLine(commit.authorName, 80)}: ${plainLine(commit.message.split('\n')[0] ?? '', 200)}; changed ${plainLine(where, 300)}, frame ${commit.frame}${commit.url === undefined ? '' : `; ${plainLine(commit.url, 300)}`}`
        }),
      ])
  },
})
