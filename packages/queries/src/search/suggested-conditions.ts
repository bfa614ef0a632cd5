/**
 * `assigned_or_suggested:…` as conditions over `issue` joined with `project`: whose it is, or who owns it by a rule or a
 * suspect commit while nobody has it. https://docs.sentry.io/concepts/search/searchable-properties/issues/
 */
import { readAssignee, type RecordsSchema } from '@sonde/stores'
import type { Expression, ExpressionBuilder, SqlBool } from 'kysely'
import { assignedTo, isAssigned } from './assigned-conditions.ts'
import type { IssueExpressions } from './issue-expressions.ts'

type Condition = Expression<SqlBool>
type OwnerExpressions = ExpressionBuilder<RecordsSchema, 'issue' | 'project' | 'issue_owner'>

/** The texts of `assignedTo`; `none`: nobody has it, and nobody was found either. */
export function assignedOrSuggested(
  eb: IssueExpressions,
  text: string,
  personId: string | undefined,
): Condition {
  if (text === 'none') return eb.and([assignedTo(eb, text, personId), eb.not(hasOwner(eb))])
  return eb.or([
    assignedTo(eb, text, personId),
    eb.and([eb.not(isAssigned(eb)), hasOwner(eb, (owner) => isOwner(owner, text, personId))]),
  ])
}

const hasOwner = (eb: IssueExpressions, which?: (owner: OwnerExpressions) => Condition): Condition => {
  const owners = eb
    .selectFrom('issue_owner')
    .select('issue_owner.position')
    .whereRef('issue_owner.issue_id', '=', 'issue.id')
  return eb.exists(which ? owners.where((owner) => which(owner)) : owners)
}

function isOwner(eb: OwnerExpressions, text: string, personId: string | undefined): Condition {
  if (text === 'me') return personId === undefined ? eb.lit(false) : eb('issue_owner.user_id', '=', personId)
  if (text === 'my_teams')
    return personId === undefined
      ? eb.lit(false)
      : eb('issue_owner.team_id', 'in', (from) =>
          from
            .selectFrom('team_member')
            .select('team_member.team_id')
            .where('team_member.user_id', '=', personId),
        )
  const exact = readAssignee(text)
  if (exact?.startsWith('user:')) return eb('issue_owner.user_id', '=', exact.slice(5))
  if (exact?.startsWith('team:')) return eb('issue_owner.team_id', '=', Number(exact.slice(5)))
  if (text.startsWith('#'))
    return eb('issue_owner.team_id', 'in', (from) =>
      from
        .selectFrom('team')
        .select('team.id')
        .where('team.slug', '=', text.slice(1))
        .whereRef('team.org_id', '=', 'project.org_id'),
    )
  return eb('issue_owner.user_id', 'in', (from) =>
    from
      .selectFrom('user')
      .select('user.id')
      .where((person) =>
        person.or([person('user.email', '=', text.toLowerCase()), person('user.name', '=', text)]),
      ),
  )
}
