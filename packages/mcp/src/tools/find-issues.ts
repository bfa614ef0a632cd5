import { listIssues, MAX_HITS } from '@sonde/queries'
import { ISSUE_SORTS } from '@sonde/queries/contract'
import { z } from 'zod'
import { createAnswer } from '../answer/answer.ts'
import { counted, timeText, whole } from '../answer/figures.ts'
import { plainLine } from '../answer/plain-text.ts'
import { openOrg, organization, project, refused } from '../subject.ts'
import { defineTool } from '../tool.ts'

export const findIssues = defineTool({
  name: 'find_issues',
  title: 'Find issues',
  description: `Issues (groups of like errors) of a project or a whole organization, by Sentry's search syntax.
Examples of query: "is:unresolved", "is:unresolved level:error TypeError", "assigned:me", "release:2.1.0 environment:production", "firstSeen:-24h", "user.email:ada@example.com", "is:regressed". The empty text finds all; without a query it is "is:unresolved".`,
  permission: 'event:read',
  input: z.object({
    organization,
    project: project.optional(),
    query: z.string().max(1_000).optional(),
    sort: z
      .enum(ISSUE_SORTS)
      .default('date')
      .describe('date: last seen; new: first seen; freq: events; user: people; priority.'),
    period: z
      .string()
      .max(10)
      .optional()
      .describe('Only issues seen within it, for example 24h. All time unless told.'),
    limit: z.int().min(1).max(50).default(20),
    cursor: z.string().max(200).optional().describe('Of an answer before, for the next page.'),
  }),
  async run(context, args) {
    const { queries, grants, links } = context
    const org = await openOrg(context, args.organization, 'event:read')
    const grant =
      args.project === undefined ? org : await grants.openProject(org.orgSlug, args.project, 'event:read')
    const page = await listIssues(queries, {
      grant,
      query: args.query,
      sort: args.sort,
      statsPeriod: args.period,
      limit: args.limit,
      cursor: args.cursor,
    })
    if (args.cursor !== undefined && page.rows.length === 0)
      throw refused('not-found', 'no issues on this page')
    const hits = page.hits >= MAX_HITS ? `${whole(MAX_HITS)} or more` : whole(page.hits)
    const answer = createAnswer().say(
      `${hits} ${page.hits === 1 ? 'issue matches' : 'issues match'}, ${page.rows.length} shown: ${links.issues(org.orgSlug, args.project)}`,
    )
    for (const row of page.rows)
      answer.say(
        `- ${row.shortId} ${row.status}${row.substatus === '' ? '' : ` (${row.substatus})`}, ${row.priority} priority, ${counted(row.eventCount, 'event')}, ${counted(row.userCount, 'user')}, last ${timeText(row.lastSeenMs)}: ${links.issue(org.orgSlug, row.project.slug, row.shortId)}`,
      )
    answer.data(
      'What they say',
      page.rows.map((row) => {
        const assignee = row.assignee ? `, assigned to ${plainLine(row.assignee.name, 60)}` : ''
        return `- ${row.shortId} [${row.level}] ${plainLine(row.title, 200)} — in ${plainLine(row.culprit, 100) || 'unknown'}${assignee}`
      }),
      { more: 'Ask with a smaller limit.' },
    )
    if (page.next.hasResults) answer.say(`Next page: cursor=${page.next.cursor}`)
    return answer
  },
})
