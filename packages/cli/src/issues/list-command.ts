/** `sonde issues list`. */
import { type CommandInput, countOf, UsageError } from '../arguments.ts'
import { connect } from '../client/connection.ts'
import { agoText } from '../client/time-text.ts'
import { note, print } from '../print.ts'
import { fittedTable } from '../text-width.ts'
import { type ApiIssue, issueAnswer } from './issue-json.ts'

const ISSUE_SORTS = ['date', 'new', 'freq', 'user', 'priority'] as const
const MAX_LIMIT = 1_000

export async function list(input: CommandInput): Promise<number> {
  const { text, texts, positionals, flag } = input
  const limit = countOf(input, 'limit', { fallback: 25, max: MAX_LIMIT })
  const sort = text('sort')
  if (sort !== undefined && !ISSUE_SORTS.some((one) => one === sort))
    throw new UsageError(`--sort is one of ${ISSUE_SORTS.join(', ')}`)
  const connection = connect(input)
  const { project } = connection
  const base = `/api/0/${project === undefined ? 'organizations' : 'projects'}/${encodeURIComponent(connection.org())}`
  const rows = await connection.list<ApiIssue>(
    {
      path: `${base}/${project === undefined ? '' : `${encodeURIComponent(project)}/`}issues/`,
      query: {
        query: positionals[0],
        sort,
        statsPeriod: text('period'),
        environment: texts('environment'),
      },
    },
    limit,
  )
  const issues = rows.map(issueAnswer)
  if (flag('json')) print(JSON.stringify(issues))
  else if (issues.length === 0)
    note('No issue matches. Without a search those that are unresolved are listed.')
  else
    print(
      fittedTable(
        [
          { head: 'issue' },
          { head: 'title', isFlexible: true },
          { head: 'culprit', isFlexible: true },
          { head: 'level' },
          { head: 'events', isNumber: true },
          { head: 'users', isNumber: true },
          { head: 'first seen' },
          { head: 'last seen' },
        ],
        issues.map((issue) => [
          issue.shortId,
          issue.title,
          issue.culprit || '-',
          issue.level,
          String(issue.events),
          String(issue.users),
          agoText(issue.firstSeen),
          agoText(issue.lastSeen),
        ]),
      ),
    )
  return 0
}
