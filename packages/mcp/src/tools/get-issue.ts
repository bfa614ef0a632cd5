import { isPersonalTag } from '@sonde/protocol/personal-tag'
import { issueActivity, issueDetail } from '@sonde/queries'
import { z } from 'zod'
import { createAnswer } from '../answer/answer.ts'
import { counted, percent, timeText, whole } from '../answer/figures.ts'
import { plainLine, plainText } from '../answer/plain-text.ts'
import { issue, openIssue, organization, refused } from '../subject.ts'
import { defineTool } from '../tool.ts'

const MAX_ACTIVITY = 20
const MAX_COMMENT_CHARS = 1_500

export const getIssue = defineTool({
  name: 'get_issue',
  title: 'Read an issue',
  description:
    'What is known of an issue: state, how often and for how many people, since when and in which releases, its most frequent tags, and what people did and wrote. For the stack trace call get_event.',
  permission: 'event:read',
  input: z.object({ organization, issue }),
  async run(context, args) {
    const { queries, links } = context
    const { grant, issue: found, url } = await openIssue(context, args, 'event:read')
    const [detail, { activity, olderFrom }] = await Promise.all([
      issueDetail(queries, grant, found.id),
      issueActivity(queries, grant, found, { limit: MAX_ACTIVITY }),
    ])
    if (!detail) throw refused('not-found', 'the issue is gone')
    const answer = createAnswer().say(
      `${detail.shortId} in ${grant.orgSlug}/${detail.project.slug}: ${detail.status}${detail.substatus === '' ? '' : ` (${detail.substatus})`}, ${detail.priority} priority`,
      url,
      `${counted(detail.eventCount, 'event')} ever, ${whole(detail.keptCount)} of them kept, ${counted(detail.userCount, 'user')} among those`,
      `First seen ${timeText(detail.firstSeenMs)}, last seen ${timeText(detail.lastSeenMs)}`,
      `Events of the last 14 days, one number a day, the last is today: ${detail.bars14d.counts.join(' ')}`,
      `Latest event: ${links.event(grant.orgSlug, detail.project.slug, detail.shortId, detail.lastEventId)}`,
    )
    answer.data('What it says', [
      `title: ${plainLine(detail.title, 500)}`,
      `in: ${plainLine(detail.culprit, 300) || 'unknown'}`,
      `level: ${plainLine(detail.level, 20)}, platform: ${plainLine(detail.platform, 40)}, ${detail.isUnhandled ? 'not handled' : 'handled'}`,
      `first release: ${plainLine(detail.firstRelease, 200) || 'unknown'}, last release: ${plainLine(detail.lastRelease, 200) || 'unknown'}`,
      `assigned to: ${detail.assignee ? plainLine(detail.assignee.name, 100) : 'nobody'}`,
    ])
    answer.data(
      'Most frequent tags',
      detail.tags
        .filter(({ key }) => !isPersonalTag(key))
        .map(({ key, values }) => {
          const shown = values.map(({ value, share }) => `${plainLine(value, 80)} ${percent(share)}`)
          return `- ${plainLine(key, 60)}: ${shown.join(', ')}`
        }),
      { maxChars: 4_000 },
    )
    answer.data(
      'What people did and wrote, the newest first',
      activity.map(({ atMs, by, kind, comment }) => {
        const text = comment
          ? `: ${plainText(comment.body.slice(0, MAX_COMMENT_CHARS)).replaceAll('\n', '\n  ')}`
          : ''
        return `- ${timeText(atMs)} ${plainLine(by, 60) || 'an event'}, ${kind}${text}`
      }),
      { maxChars: 7_000, more: `The rest is on the issue's page.` },
    )
    if (olderFrom !== undefined) answer.say('Older entries are on the page of the issue.')
    return answer
  },
})
