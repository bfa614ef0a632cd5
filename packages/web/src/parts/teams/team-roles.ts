/** What members of a team are in a project at least, as the forms say it. */
export const TEAM_ROLE_CHOICES = [
  ['viewer', 'Viewer: read-only'],
  ['member', 'Member: can also edit issues, releases and alert rules'],
  ['admin', 'Admin: can also change the project'],
] as const
