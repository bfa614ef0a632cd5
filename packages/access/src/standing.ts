/** What somebody's teams are to them in an organization: which projects they see, and as what. */
import type { Records, Role } from '@sonde/stores'
import { type Permission, ROLE_PERMISSIONS } from './permission.ts'
import type { Viewer } from './viewer.ts'

export type Standing = {
  /** In the organization. */
  readonly role: Role
  /** Other projects than those of their teams do not exist for them. */
  readonly isLimited: boolean
  /** By project id: the greatest role of their teams that have it. */
  readonly teamRoles: ReadonlyMap<number, Role>
}

/** Weakest first: each may what those before it may. */
const ORDER: readonly Role[] = ['viewer', 'member', 'admin', 'owner']
const greaterRole = (a: Role, b: Role): Role => (ORDER.indexOf(a) >= ORDER.indexOf(b) ? a : b)

/** What a viewer is in an organization; undefined: no person stands behind it, or none of its members. */
export function roleIn(viewer: Viewer, orgId: number): Role | undefined {
  if (viewer.kind === 'operator') return undefined
  if (viewer.kind === 'token') return viewer.role
  return viewer.memberships.find((membership) => membership.orgId === orgId)?.role
}

/**
 * Undefined for whom teams change nothing: owners and admins, who see everything and whom no team makes more, and tokens
 * that are nobody's own. Else one indexed read.
 */
export async function readStanding(
  records: Records,
  viewer: Viewer,
  { id: orgId, members_see: see }: { readonly id: number; readonly members_see: 'all' | 'teams' },
): Promise<Standing | undefined> {
  const role = roleIn(viewer, orgId)
  if (viewer.kind === 'operator' || viewer.userId === undefined) return undefined
  if (role === undefined || role === 'owner' || role === 'admin') return undefined
  const rows = await records
    .selectFrom('team_member')
    .innerJoin('team', 'team.id', 'team_member.team_id')
    .innerJoin('team_project', 'team_project.team_id', 'team.id')
    .select(['team_project.project_id', 'team_project.role'])
    .where('team_member.user_id', '=', viewer.userId)
    .where('team.org_id', '=', orgId)
    .orderBy('team_project.project_id')
    .execute()
  const teamRoles = new Map<number, Role>()
  for (const row of rows)
    teamRoles.set(row.project_id, greaterRole(row.role, teamRoles.get(row.project_id) ?? row.role))
  return { role, isLimited: see === 'teams', teamRoles }
}

/** The role in a project; undefined: it does not exist for this person. */
export function roleInProject({ role, isLimited, teamRoles }: Standing, projectId: number): Role | undefined {
  const byTeam = teamRoles.get(projectId)
  if (byTeam !== undefined) return greaterRole(role, byTeam)
  return isLimited ? undefined : role
}

/**
 * What is asked of a whole organization and read or changed project by project. Only these does a team give there, for its
 * projects: everything else of an organization has no project that could bound it.
 */
const BOUND_BY_PROJECTS: ReadonlySet<Permission> = new Set(['event:read', 'event:write', 'event:delete'])

/**
 * Projects in which somebody has a permission, when a whole organization is asked for. `all`: in all of it. Undefined: the
 * organization's role does not include it, nor does a team give it in any project.
 */
export function projectsWith(
  standing: Standing,
  permission: Permission,
): readonly number[] | 'all' | undefined {
  const { role, isLimited, teamRoles } = standing
  if (ROLE_PERMISSIONS[role].includes(permission)) return isLimited ? [...teamRoles.keys()] : 'all'
  const ids = BOUND_BY_PROJECTS.has(permission) ? projectsByTeam(standing, permission) : []
  return ids.length === 0 ? undefined : ids
}

/** Where a team gives it. */
export const projectsByTeam = ({ teamRoles }: Standing, permission: Permission): readonly number[] =>
  [...teamRoles].flatMap(([id, role]) => (ROLE_PERMISSIONS[role].includes(permission) ? [id] : []))
