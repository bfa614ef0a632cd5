/** To whom issues of an organization or of a project can be assigned. */
import type { Grant } from '@sonde/access'
import { peopleSee, teamsSee } from '@sonde/stores'
import { personOf } from '../person-of.ts'
import type { QueryDeps } from '../query-deps.ts'

export type AssigneeChoice = {
  /** `user:ID`, `team:ID`. */
  readonly value: string
  /** A person's name, or address where there is none; a team's `#slug`. */
  readonly name: string
  /** A person's address; a team's name. */
  readonly hint: string
  readonly isMe: boolean
}

/** Of a project: who sees it. The person who asks, then their teams and the others, then the other members who can sign in. Each by name. */
export async function assigneeChoices(
  { records }: Pick<QueryDeps, 'records'>,
  grant: Grant<'event:read', 'org' | 'project'>,
): Promise<readonly AssigneeChoice[]> {
  const { orgId, viewer } = grant
  const projectId = 'projectId' in grant ? grant.projectId : undefined
  const me = personOf(viewer)
  const [people, teams] = await Promise.all([
    records
      .selectFrom('member')
      .innerJoin('user', 'user.id', 'member.user_id')
      .select(['user.id', 'user.name', 'user.email'])
      .where('member.org_id', '=', orgId)
      .where('user.disabledMs', 'is', null)
      .$if(projectId !== undefined, (query) => query.where(peopleSee(projectId ?? 0)))
      .execute(),
    records
      .selectFrom('team')
      .leftJoin('team_member', (join) =>
        join.onRef('team_member.team_id', '=', 'team.id').on('team_member.user_id', '=', me ?? ''),
      )
      .select(['team.id', 'team.slug', 'team.name', 'team_member.user_id'])
      .where('team.org_id', '=', orgId)
      .$if(projectId !== undefined, (query) => query.where(teamsSee(projectId ?? 0)))
      .execute(),
  ])
  const persons = people
    .map(({ id, name, email }) => ({
      value: `user:${id}`,
      name: name || email,
      hint: email,
      isMe: id === me,
    }))
    .toSorted((a, b) => a.name.localeCompare(b.name))
  const groups = teams
    .toSorted((a, b) => Number(b.user_id !== null) - Number(a.user_id !== null) || (a.slug < b.slug ? -1 : 1))
    .map(({ id, slug, name }) => ({ value: `team:${id}`, name: `#${slug}`, hint: name, isMe: false }))
  return [...persons.filter(({ isMe }) => isMe), ...groups, ...persons.filter(({ isMe }) => !isMe)]
}
