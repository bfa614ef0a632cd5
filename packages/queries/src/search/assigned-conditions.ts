/**
 * What belongs to people: `assigned:…`, `bookmarks:me`, `subscribed:me` as conditions over `issue` joined with `project`. None of them is null for an issue of nobody: its opposite
 * has to hold for that. https://docs.sentry.io/concepts/search/searchable-properties/issues/
 */
import { readAssignee } from '@sonde/stores'
import type { Expression, SqlBool } from 'kysely'
import type { IssueExpressions } from './issue-expressions.ts'
import { exactText, type FilterTerm, SearchError } from './search-term.ts'

type Condition = Expression<SqlBool>

export const isAssigned = (eb: IssueExpressions): Condition =>
  eb.or([eb('issue.assignee_user_id', 'is not', null), eb('issue.assignee_team_id', 'is not', null)])

/**
 * `me`, `my_teams`, `none`, `#team`, the address or the name of a person, `user:ID`, `team:ID`. Who is no person, as a
 * program without an owner, is `me` to no issue.
 */
export function assignedTo(eb: IssueExpressions, text: string, personId: string | undefined): Condition {
  if (text === 'none') return eb.not(isAssigned(eb))
  if (text === 'me') return personId === undefined ? eb.lit(false) : ofUser(eb, personId)
  if (text === 'my_teams')
    return personId === undefined
      ? eb.lit(false)
      : eb.and([
          eb('issue.assignee_team_id', 'is not', null),
          eb('issue.assignee_team_id', 'in', (from) =>
            from.selectFrom('team_member').select('team_id').where('user_id', '=', personId),
          ),
        ])
  const exact = readAssignee(text)
  if (exact?.startsWith('user:')) return ofUser(eb, exact.slice(5))
  if (exact?.startsWith('team:'))
    return eb.and([
      eb('issue.assignee_team_id', 'is not', null),
      eb('issue.assignee_team_id', '=', Number(exact.slice(5))),
    ])
  return text.startsWith('#') ? ofTeam(eb, text.slice(1)) : ofNamed(eb, text)
}

const ofUser = (eb: IssueExpressions, userId: string): Condition =>
  eb.and([eb('issue.assignee_user_id', 'is not', null), eb('issue.assignee_user_id', '=', userId)])

const ofTeam = (eb: IssueExpressions, slug: string): Condition =>
  eb.and([
    eb('issue.assignee_team_id', 'is not', null),
    eb('issue.assignee_team_id', 'in', (from) =>
      from
        .selectFrom('team')
        .select('team.id')
        .where('team.slug', '=', slug)
        .whereRef('team.org_id', '=', 'project.org_id'),
    ),
  ])

const ofNamed = (eb: IssueExpressions, text: string): Condition =>
  eb.and([
    eb('issue.assignee_user_id', 'is not', null),
    eb('issue.assignee_user_id', 'in', (from) =>
      from
        .selectFrom('user')
        .select('user.id')
        .where((person) =>
          person.or([person('user.email', '=', text.toLowerCase()), person('user.name', '=', text)]),
        ),
    ),
  ])

/** By whoever asks. */
export function isMarked(
  eb: IssueExpressions,
  field: 'bookmarks' | 'subscribed',
  personId: string | undefined,
): Condition {
  if (personId === undefined) return eb.lit(false)
  return field === 'bookmarks'
    ? eb('issue.id', 'in', (from) =>
        from.selectFrom('issue_bookmark').select('issue_id').where('user_id', '=', personId),
      )
    : eb('issue.id', 'in', (from) =>
        from
          .selectFrom('issue_subscription')
          .select('issue_id')
          .where('user_id', '=', personId)
          .where('is_active', '=', 1),
      )
}

/** `bookmarks:me`: nobody sees those of others. Throws `SearchError`. */
export function markedBy(
  eb: IssueExpressions,
  field: 'bookmarks' | 'subscribed',
  { at, values }: FilterTerm,
  personId: string | undefined,
): Condition {
  if (values.every((value) => exactText(value) === 'me')) return isMarked(eb, field, personId)
  throw new SearchError(`"${field}" knows only your own`, at, `Write ${field}:me.`)
}
