/** Which projects somebody may read, as conditions of statements. */
import { expressionBuilder, type ExpressionWrapper, type RawBuilder, type SqlBool, sql } from 'kysely'
import type { RecordsSchema } from './schema.ts'

/** What a grant covers. */
export type ProjectScope = {
  readonly orgId: number
  /** This one alone. */
  readonly projectId?: number
  /** Only these; undefined: all of the organization, also later ones. */
  readonly projects?: readonly number[]
}

/** For a statement that has the table `project` under that name. */
export function inProjects({
  orgId,
  projectId,
  projects,
}: ProjectScope): ExpressionWrapper<RecordsSchema, 'project', SqlBool> {
  const eb = expressionBuilder<RecordsSchema, 'project'>()
  const ids = projectId === undefined ? projects : [projectId]
  return eb.and([
    eb('project.org_id', '=', orgId),
    // No id is 0.
    ...(ids === undefined ? [] : [eb('project.id', 'in', ids.length === 0 ? [0] : ids)]),
  ])
}

/**
 * Whether a person sees a project: a member of its organization, and there an owner, an admin, or in one of its teams where
 * members see the projects of their teams alone. The same rule as `openProject` of `@sonde/access`, for what is sent to
 * people without their asking. `person` and `project` are the columns of the statement, or values.
 */
export const seesProject = (person: RawBuilder<unknown>, project: RawBuilder<unknown>): RawBuilder<SqlBool> =>
  sql<SqlBool>`EXISTS (SELECT 1 FROM project AS seen
    JOIN organization AS seen_org ON seen_org.id = seen.org_id
    JOIN member AS seen_by ON seen_by.org_id = seen.org_id AND seen_by.user_id = ${person}
    WHERE seen.id = ${project} AND (seen_org.members_see = 'all' OR seen_by.role IN ('owner', 'admin') OR EXISTS (
      SELECT 1 FROM team_project JOIN team_member ON team_member.team_id = team_project.team_id
      WHERE team_project.project_id = seen.id AND team_member.user_id = seen_by.user_id)))`

/**
 * Whether a team sees a project of its organization: it has the project, or members see all. Who is in it may see it
 * as an owner all the same; a team as such does not.
 */
export const teamSeesProject = (
  team: RawBuilder<unknown>,
  project: RawBuilder<unknown>,
): RawBuilder<SqlBool> =>
  sql<SqlBool>`EXISTS (SELECT 1 FROM project AS seen
    JOIN organization AS seen_org ON seen_org.id = seen.org_id
    WHERE seen.id = ${project} AND (seen_org.members_see = 'all' OR EXISTS (
      SELECT 1 FROM team_project WHERE team_project.project_id = seen.id AND team_project.team_id = ${team})))`

/** For a statement that has the table `team` under that name: which of them see this project. */
export const teamsSee = (projectId: number): RawBuilder<SqlBool> =>
  teamSeesProject(sql.ref('team.id'), sql`${projectId}`)

/** For a statement that has the table `user` under that name: who of them sees this project. */
export const peopleSee = (projectId: number): RawBuilder<SqlBool> =>
  seesProject(sql.ref('user.id'), sql`${projectId}`)
