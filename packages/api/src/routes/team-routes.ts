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
  InvalidInput,
  removeTeamMember,
  removeTeamProject,
  setTeamProject,
  TEAM_ROLES,
  updateTeam,
} from '@sonde/commands'
import { listMembers, listProjects, listTeams, type TeamRow } from '@sonde/queries'
import {
  type Api,
  type ApiContext,
  type ApiOptions,
  orgGrant,
  pathParam,
  projectGrant,
} from '../api-context.ts'
import { jsonBody } from '../json-body.ts'
import { setPage } from '../request-params.ts'
import { teamJson } from '../serializers/team.ts'
import { memberJson } from './organization-routes.ts'
import { projectJson, slugOf } from './project-routes.ts'

const ONE = '/teams/:org/:team'

type ReadGrant = Grant<'member:read', 'org'>

export function teamRoutes(api: Api, options: ApiOptions): void {
  const { queries, commands, publicUrl } = options
  const findTeam = async (grant: ReadGrant, requested: string): Promise<TeamRow | undefined> =>
    (await listTeams(queries, grant)).find(({ id, slug }) => slug === requested || String(id) === requested)
  const find = async (c: ApiContext) => {
    const grant = await orgGrant(c, 'member:read')
    return { grant, team: await findTeam(grant, pathParam(c, 'team')) }
  }
  const shown = async (c: ApiContext, grant: ReadGrant, id: number, status: 200 | 201) => {
    const row = await findTeam(grant, String(id))
    return row ? c.json(teamJson(row), status) : c.notFound()
  }

  api.get('/organizations/:org/teams', async (c) => {
    const grant = await orgGrant(c, 'member:read')
    const rows = setPage(c, publicUrl, await listTeams(queries, grant))
    if (c.req.query('detailed') === '0') return c.json(rows.map((row) => teamJson(row)))
    const known = mayAlso(grant, 'project:read')
      ? await listProjects(queries, requireAlso(grant, 'project:read'))
      : []
    const projects = new Map(known.map((row) => [row.id, row]))
    return c.json(
      rows.map((row) => ({
        ...teamJson(row),
        projects: row.projects.flatMap(({ id }) => {
          const project = projects.get(id)
          return project ? [projectJson(project)] : []
        }),
      })),
    )
  })

  api.post('/organizations/:org/teams', async (c) => {
    const grant = await orgGrant(c, 'team:write')
    const body = await jsonBody(c)
    const slug = body.text('slug')
    const name = body.text('name') ?? slug ?? ''
    const { id } = await createTeam(commands, grant, { name, slug })
    return shown(c, grant, id, 201)
  })

  api.get(ONE, async (c) => {
    const { grant, team } = await find(c)
    if (!team) return c.notFound()
    const organization = { id: String(grant.orgId), slug: grant.orgSlug, name: grant.orgName }
    return c.json({ ...teamJson(team), organization })
  })

  api.put(ONE, async (c) => {
    const { grant, team } = await find(c)
    const mayWrite = requireAlso(grant, 'team:write')
    if (!team) return c.notFound()
    const body = await jsonBody(c)
    await updateTeam(commands, mayWrite, {
      team: team.id,
      name: body.text('name'),
      slug: body.text('slug'),
    })
    return shown(c, grant, team.id, 200)
  })

  api.delete(ONE, async (c) => {
    const { grant, team } = await find(c)
    const mayDelete = requireAlso(grant, 'team:delete')
    if (!team) return c.notFound()
    await deleteTeam(commands, mayDelete, { team: team.id })
    return c.body(null, 204)
  })

  api.get(`${ONE}/members`, async (c) => {
    const { grant, team } = await find(c)
    if (!team) return c.notFound()
    const members = (await listMembers(queries, grant)).filter(({ teams }) =>
      teams.some(({ id }) => id === team.id),
    )
    return c.json(
      setPage(c, publicUrl, members).map((row) => ({
        ...memberJson(row),
        teamSlug: team.slug,
        teamRole: 'contributor',
      })),
    )
  })

  api.get(`${ONE}/projects`, async (c) => {
    const { grant, team } = await find(c)
    if (!team) return c.notFound()
    const projects = (await listProjects(queries, requireAlso(grant, 'project:read'))).filter(({ teams }) =>
      teams.some(({ id }) => id === team.id),
    )
    return c.json(setPage(c, publicUrl, projects).map((row) => projectJson(row)))
  })

  // https://docs.sentry.io/api/projects/create-a-new-project/
  api.post(`${ONE}/projects`, async (c) => {
    const grant = await orgGrant(c, 'project:create')
    const body = await jsonBody(c)
    const created = await createProject(commands, grant, {
      slug: body.text('slug') ?? slugOf(body.text('name') ?? ''),
      name: body.text('name'),
      platform: body.text('platform') || undefined,
      team: pathParam(c, 'team'),
    })
    const own = await c.get('grants').openProject(created.orgId, created.id, 'project:read')
    const [row] = await listProjects(queries, own)
    return row ? c.json(projectJson(row), created.isNew ? 201 : 409) : c.notFound()
  })

  const membership = '/organizations/:org/members/:member/teams/:team'
  const memberOf = (c: ApiContext): string => {
    const viewer = c.get('viewer')
    const requested = pathParam(c, 'member')
    return requested === 'me' && viewer.kind !== 'operator' ? (viewer.userId ?? requested) : requested
  }

  // https://docs.sentry.io/api/teams/add-an-organization-member-to-a-team/
  api.post(membership, async (c) => {
    const { grant, team } = await find(c)
    if (!team) return c.notFound()
    const { isNew } = await addTeamMember(commands, grant, { team: team.id, userId: memberOf(c) })
    return isNew ? shown(c, grant, team.id, 201) : c.body(null, 204)
  })

  api.delete(membership, async (c) => {
    const { grant, team } = await find(c)
    if (!team) return c.notFound()
    await removeTeamMember(commands, grant, { team: team.id, userId: memberOf(c) })
    return shown(c, grant, team.id, 200)
  })

  api.get('/projects/:org/:project/teams', async (c) => {
    const rows = await listTeams(queries, await projectGrant(c, 'project:read'))
    return c.json(setPage(c, publicUrl, rows).map((row) => teamJson(row)))
  })

  // https://docs.sentry.io/api/projects/add-a-team-to-a-project/
  const ofProject = '/projects/:org/:project/teams/:team'
  const shownProject = async (c: ApiContext, grant: Grant<'project:read', 'project'>, status: 200 | 201) => {
    const [row] = await listProjects(queries, grant)
    return row ? c.json(projectJson(row), status) : c.notFound()
  }
  api.post(ofProject, async (c) => {
    const grant = await projectGrant(c, 'project:write')
    const wanted = (await jsonBody(c)).text('role') ?? 'viewer'
    const role = TEAM_ROLES.find((known) => known === wanted)
    if (!role)
      throw new InvalidInput('give a team a project', { role: [`is one of ${TEAM_ROLES.join(', ')}`] })
    await setTeamProject(commands, grant, { team: pathParam(c, 'team'), role })
    return shownProject(c, grant, 201)
  })

  api.delete(ofProject, async (c) => {
    const grant = await projectGrant(c, 'project:write')
    await removeTeamProject(commands, grant, { team: pathParam(c, 'team') })
    return shownProject(c, grant, 200)
  })
}
