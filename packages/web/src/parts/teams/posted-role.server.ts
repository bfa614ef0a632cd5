import { InvalidInput, TEAM_ROLES, type TeamRole } from '@sonde/commands'
import type { PostedFields } from '../forms/posted-fields.ts'

/** Throws `InvalidInput`. */
export function postedTeamRole(posted: PostedFields): TeamRole {
  const role = TEAM_ROLES.find((known) => known === posted.text('role'))
  if (role) return role
  throw new InvalidInput('give a team a project', { role: [`is one of ${TEAM_ROLES.join(', ')}`] })
}
