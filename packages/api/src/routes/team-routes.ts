/**
 * Teams (https://docs.sentry.io/api/teams/): who is in them and which projects they have. Beyond the public API,
 * `POST /projects/{org}/{project}/teams/{team}/` takes a `role`: what members of the team are in the project at least.
 */
import { type Grant, mayAlso, requireAlso } from '@sonde/access'
import {
  addTeamMember,
  createProject,
  createTeam,
  deleteTeam,
  removeTeamMember,
  removeTeamProject,
  setTeamProject,
  TEAM_ROLES,
  updateTeam,
} from '@sonde/commands'
import { listMembers, listProjects, listTeams, type TeamRow } from '@sonde/queries'
import { z } from 'zod'
import { type ApiContext, type ApiOptions, notFound } from '../api-context.ts'
import type { Api } from '../described-routes.ts'
import { withStatus } from '../operation.ts'
import { setPage } from '../pages.ts'
import { text } from '../query-schemas.ts'
import { Member, memberJson } from '../serializers/member.ts'
import { OrganizationName, Project, projectJson } from '../serializers/project.ts'
import { Team, teamJson } from '../serializers/team.ts'
import { NewProject, slugOf } from './project-routes.ts'

const ONE = '/teams/:org/:team'

type ReadGrant = Grant<'member:read', 'org'>

export function teamRoutes(api: Api, options: ApiOptions): void {
  const { queries, commands, publicUrl } = options
  const find = async (grant: ReadGrant, requested: string): Promise<TeamRow | undefined> =>
    (await listTeams(queries, grant)).find(({ id, slug }) => slug === requested || String(id) === requested)
  const need = async (grant: ReadGrant, requested: string): Promise<TeamRow> => {
    const team = await find(grant, requested)
    if (team) return team
    throw notFound('open a team')
  }
  const shown = async (grant: ReadGrant, id: number) => {
    const row = await find(grant, String(id))
    return row && teamJson(row)
  }

  api.get(
    '/organizations/:org/teams',
    {
      id: 'listTeams',
      summary: 'List the teams of an organization',
      tag: 'Teams',
      permission: 'member:read',
      query: z.object({ detailed: text('`0`: without the projects.') }),
      pages: true,
      answer: z.array(Team.extend({ projects: z.array(Project).optional() })),
    },
    async ({ c, grant, query }) => {
      const rows = setPage(c, publicUrl, await listTeams(queries, grant))
      if (query.detailed === '0') return rows.map(teamJson)
      const known = mayAlso(grant, 'project:read')
        ? await listProjects(queries, requireAlso(grant, 'project:read'))
        : []
      const projects = new Map(known.map((row) => [row.id, row]))
      return rows.map((row) => ({
        ...teamJson(row),
        projects: row.projects.flatMap(({ id }) => {
          const project = projects.get(id)
          return project ? [projectJson(project)] : []
        }),
      }))
    },
  )

  api.post(
    '/organizations/:org/teams',
    {
      id: 'createTeam',
      summary: 'Make a team',
      tag: 'Teams',
      permission: 'team:write',
      body: z.object({ slug: z.string().optional(), name: z.string().optional() }),
      answer: Team,
      status: 201,
    },
    async ({ grant, body: { slug, name = slug ?? '' } }) => {
      const { id } = await createTeam(commands, grant, { name, slug })
      return shown(grant, id)
    },
  )

  api.get(
    ONE,
    {
      id: 'getTeam',
      summary: 'Read a team',
      tag: 'Teams',
      permission: 'member:read',
      answer: Team.extend({ organization: OrganizationName }),
    },
    async ({ grant, params }) => {
      const team = await find(grant, params.team)
      const organization = { id: String(grant.orgId), slug: grant.orgSlug, name: grant.orgName }
      return team && { ...teamJson(team), organization }
    },
  )

  api.put(
    ONE,
    {
      id: 'updateTeam',
      summary: 'Change the name of a team',
      tag: 'Teams',
      permission: 'team:write',
      body: z.object({ slug: z.string().optional(), name: z.string().optional() }),
      answer: Team,
    },
    async ({ grant, params, body }) => {
      const { id } = await need(grant, params.team)
      await updateTeam(commands, grant, { team: id, ...body })
      return shown(grant, id)
    },
  )

  api.delete(
    ONE,
    { id: 'deleteTeam', summary: 'Delete a team', tag: 'Teams', permission: 'team:delete' },
    async ({ grant, params }) => {
      const { id } = await need(grant, params.team)
      await deleteTeam(commands, grant, { team: id })
    },
  )

  api.get(
    `${ONE}/members`,
    {
      id: 'listTeamMembers',
      summary: 'List the members of a team',
      tag: 'Teams',
      permission: 'member:read',
      pages: true,
      answer: z.array(Member.extend({ teamSlug: z.string(), teamRole: z.literal('contributor') })),
    },
    async ({ c, grant, params }) => {
      const team = await need(grant, params.team)
      const members = (await listMembers(queries, grant)).filter(({ teams }) =>
        teams.some(({ id }) => id === team.id),
      )
      return setPage(c, publicUrl, members).map((row) => ({
        ...memberJson(row),
        teamSlug: team.slug,
        teamRole: 'contributor' as const,
      }))
    },
  )

  api.get(
    `${ONE}/projects`,
    {
      id: 'listTeamProjects',
      summary: 'List the projects of a team',
      tag: 'Teams',
      permission: 'member:read',
      opens: 'project:read',
      pages: true,
      answer: z.array(Project),
    },
    async ({ c, grant, params }) => {
      const team = await need(grant, params.team)
      const projects = (await listProjects(queries, requireAlso(grant, 'project:read'))).filter(({ teams }) =>
        teams.some(({ id }) => id === team.id),
      )
      return setPage(c, publicUrl, projects).map(projectJson)
    },
  )

  // https://docs.sentry.io/api/projects/create-a-new-project/
  api.post(
    `${ONE}/projects`,
    {
      id: 'createTeamProject',
      summary: 'Make a project of a team',
      tag: 'Projects',
      permission: 'project:create',
      body: NewProject,
      answer: Project,
      status: 201,
      also: { 409: 'There is one of this slug: the answer is that one.' },
    },
    async ({ c, grant, params, body: { name, slug = slugOf(name ?? ''), platform } }) => {
      const created = await createProject(commands, grant, {
        slug,
        name,
        platform: platform || undefined,
        team: params.team,
      })
      const own = await c.get('grants').openProject(created.orgId, created.id, 'project:read')
      const [row] = await listProjects(queries, own)
      return row && withStatus(created.isNew ? 201 : 409, projectJson(row))
    },
  )

  const membership = '/organizations/:org/members/:member/teams/:team'
  const memberOf = (c: ApiContext, requested: string): string => {
    const viewer = c.get('viewer')
    return requested === 'me' && viewer.kind !== 'operator' ? (viewer.userId ?? requested) : requested
  }

  // https://docs.sentry.io/api/teams/add-an-organization-member-to-a-team/
  api.post(
    membership,
    {
      id: 'addTeamMember',
      summary: 'Add a member to a team',
      description: 'Members may add themselves where the organization lets them; others need `team:write`.',
      tag: 'Teams',
      permission: 'member:read',
      answer: Team,
      status: 201,
      also: { 204: 'The member was in it.' },
    },
    async ({ c, grant, params }) => {
      const { id } = await need(grant, params.team)
      const userId = memberOf(c, params.member)
      const { isNew } = await addTeamMember(commands, grant, { team: id, userId })
      return isNew ? shown(grant, id) : withStatus(204, undefined)
    },
  )

  api.delete(
    membership,
    {
      id: 'removeTeamMember',
      summary: 'Take a member out of a team',
      tag: 'Teams',
      permission: 'member:read',
      answer: Team,
    },
    async ({ c, grant, params }) => {
      const { id } = await need(grant, params.team)
      await removeTeamMember(commands, grant, { team: id, userId: memberOf(c, params.member) })
      return shown(grant, id)
    },
  )

  api.get(
    '/projects/:org/:project/teams',
    {
      id: 'listProjectTeams',
      summary: 'List the teams of a project',
      tag: 'Teams',
      permission: 'project:read',
      pages: true,
      answer: z.array(Team),
    },
    async ({ c, grant }) => setPage(c, publicUrl, await listTeams(queries, grant)).map(teamJson),
  )

  // https://docs.sentry.io/api/projects/add-a-team-to-a-project/
  const ofProject = '/projects/:org/:project/teams/:team'
  const shownProject = async (grant: Grant<'project:read', 'project'>) => {
    const [row] = await listProjects(queries, grant)
    return row && projectJson(row)
  }

  api.post(
    ofProject,
    {
      id: 'addProjectTeam',
      summary: 'Give a project to a team',
      tag: 'Teams',
      permission: 'project:write',
      body: z.object({
        role: z
          .enum(TEAM_ROLES, `is one of ${TEAM_ROLES.join(', ')}`)
          .default('viewer')
          .meta({ description: 'What members of the team are in the project at least.' }),
      }),
      answer: Project,
      status: 201,
    },
    async ({ grant, params, body: { role } }) => {
      await setTeamProject(commands, grant, { team: params.team, role })
      return shownProject(grant)
    },
  )

  api.delete(
    ofProject,
    {
      id: 'removeProjectTeam',
      summary: 'Take a project from a team',
      tag: 'Teams',
      permission: 'project:write',
      answer: Project,
    },
    async ({ grant, params }) => {
      await removeTeamProject(commands, grant, { team: params.team })
      return shownProject(grant)
    },
  )
}
