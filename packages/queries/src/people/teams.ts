import type { Grant } from '@sonde/access'
import type { Role } from '@sonde/stores'
import { projectIdsOf, type QueryDeps } from '../query-deps.ts'

export type TeamRow = {
  readonly id: number
  readonly slug: string
  readonly name: string
  readonly createdMs: number
  readonly memberCount: number
  /** Whether the person who asks is in it. */
  readonly isMember: boolean
  /** By slug; only those that the grant may read. */
  readonly projects: readonly TeamProject[]
}

export type TeamProject = {
  readonly id: number
  readonly slug: string
  readonly name: string
  readonly platform: string
  /** What members of the team are in it at least. */
  readonly role: Exclude<Role, 'owner'>
}

type TeamGrant = Grant<'member:read' | 'event:read' | 'project:read', 'org' | 'project'>
type Deps = Pick<QueryDeps, 'records'>

/** All teams of an organization, by slug. Of a project's grant: those that have the project. */
export async function listTeams({ records }: Deps, grant: TeamGrant): Promise<readonly TeamRow[]> {
  let query = records
    .selectFrom('team')
    .select(['id', 'slug', 'name', 'created_ms'])
    .select((eb) =>
      eb
        .selectFrom('team_member')
        .select(({ fn }) => fn.countAll<number>().as('count'))
        .whereRef('team_member.team_id', '=', 'team.id')
        .as('memberCount'),
    )
    .where('org_id', '=', grant.orgId)
  if ('projectId' in grant)
    query = query.where('id', 'in', (eb) =>
      eb.selectFrom('team_project').select('team_id').where('project_id', '=', grant.projectId),
    )
  const rows = await query.orderBy('slug').execute()
  const ids = rows.map(({ id }) => id)
  const [projects, own] = await Promise.all([
    projectsOfTeams({ records }, grant, ids),
    ownTeams({ records }, grant),
  ])
  return rows.map(({ id, slug, name, created_ms: createdMs, memberCount }) => ({
    id,
    slug,
    name,
    createdMs,
    memberCount: memberCount ?? 0,
    isMember: own.has(id),
    projects: projects.get(id) ?? [],
  }))
}

/** Of the whole organization, by slug: for whoever chooses one. */
export const teamNames = (
  { records }: Deps,
  { orgId }: Grant<'member:read' | 'alert:read', 'org' | 'project'>,
): Promise<readonly { readonly id: number; readonly slug: string; readonly name: string }[]> =>
  records
    .selectFrom('team')
    .select(['id', 'slug', 'name'])
    .where('org_id', '=', orgId)
    .orderBy('slug')
    .execute()

async function projectsOfTeams(
  { records }: Deps,
  grant: TeamGrant,
  teamIds: readonly number[],
): Promise<ReadonlyMap<number, readonly TeamProject[]>> {
  if (teamIds.length === 0) return new Map()
  const rows = await records
    .selectFrom('team_project')
    .innerJoin('project', 'project.id', 'team_project.project_id')
    .select(['project.id', 'project.slug', 'project.name', 'project.platform'])
    .select(['team_project.role', 'team_project.team_id'])
    .where('team_project.team_id', 'in', teamIds)
    .where('project.id', 'in', await projectIdsOf({ records }, grant))
    .orderBy('project.slug')
    .execute()
  const byTeam = Map.groupBy(rows, (row) => row.team_id)
  return new Map(
    [...byTeam].map(([teamId, own]) => [
      teamId,
      own.map(({ id, slug, name, platform, role }) => ({ id, slug, name, platform, role })),
    ]),
  )
}

/** Of whoever asks, a person or their token; an organization's token is in none. */
async function ownTeams({ records }: Deps, { viewer, orgId }: TeamGrant): Promise<ReadonlySet<number>> {
  const userId = viewer.kind === 'operator' ? undefined : viewer.userId
  if (userId === undefined) return new Set()
  const rows = await records
    .selectFrom('team_member')
    .innerJoin('team', 'team.id', 'team_member.team_id')
    .select('team.id')
    .where('team.org_id', '=', orgId)
    .where('team_member.user_id', '=', userId)
    .execute()
  return new Set(rows.map(({ id }) => id))
}
