/** `sonde team …`: who works together, for who has the machine. */
import { operatorViewer } from '@sonde/access'
import { type CommandInput, print, table, UsageError } from '@sonde/cli'
import {
  addTeamMember,
  type CommandDeps,
  createTeam,
  DEFAULT_ORG_SLUG,
  deleteTeam,
  removeTeamMember,
  removeTeamProject,
  setTeamProject,
  TEAM_ROLES,
} from '@sonde/commands'
import { listMembers, listTeams } from '@sonde/queries'
import { withCommands } from './with-commands.ts'

/** `sonde team list`: the teams of an organization, how many are in them, and their projects. */
export async function list({ text, flag }: CommandInput): Promise<number> {
  const org = text('org') ?? DEFAULT_ORG_SLUG
  return withCommands(async (deps) => {
    const grant = await deps.access.openOrg(operatorViewer, org, 'member:read')
    const teams = await listTeams(deps, grant)
    if (flag('json')) print(JSON.stringify(teams))
    else if (teams.length === 0) print('No teams yet. Make one: sonde team create --name NAME --org ORG')
    else
      print(
        table([
          ['team', 'name', 'members', 'projects'],
          ...teams.map(({ slug, name, memberCount, projects }) => [
            `#${slug}`,
            name,
            String(memberCount),
            projects.map((project) => `${project.slug} (${project.role})`).join(', '),
          ]),
        ]),
      )
    return 0
  })
}

/** `sonde team create`: makes a team without anybody. */
export async function create({ need, text, flag }: CommandInput): Promise<number> {
  const org = text('org') ?? DEFAULT_ORG_SLUG
  const name = need('name')
  return withCommands(async (deps) => {
    const grant = await deps.access.openOrg(operatorViewer, org, 'team:write')
    const team = await createTeam(deps, grant, { name, slug: text('slug') })
    print(flag('json') ? JSON.stringify(team) : `#${team.slug} was made in ${org}`)
    return 0
  })
}

/** `sonde team delete`: its members and projects stay. */
export async function remove({ need, text, flag }: CommandInput): Promise<number> {
  const org = text('org') ?? DEFAULT_ORG_SLUG
  const team = bare(need('team'))
  return withCommands(async (deps) => {
    const { slug } = await deleteTeam(deps, await deps.access.openOrg(operatorViewer, org, 'team:delete'), {
      team,
    })
    print(flag('json') ? JSON.stringify({ slug }) : `#${slug} was deleted`)
    return 0
  })
}

/** `sonde team add-member`: by the person's address. */
export const addMember = (input: CommandInput): Promise<number> =>
  ofMember(input, async (deps, grant, member) => {
    const { isNew } = await addTeamMember(deps, grant, member)
    return { changed: isNew, said: isNew ? 'is now in' : 'was already in' }
  })

/** `sonde team remove-member`: out of the team alone. */
export const removeMember = (input: CommandInput): Promise<number> =>
  ofMember(input, async (deps, grant, member) => {
    const { wasMember } = await removeTeamMember(deps, grant, member)
    return { changed: wasMember, said: wasMember ? 'is no longer in' : 'was not in' }
  })

type MemberGrant = Parameters<typeof addTeamMember>[1]
type MemberJob = (
  deps: CommandDeps,
  grant: MemberGrant,
  member: { readonly team: string; readonly userId: string },
) => Promise<{ readonly changed: boolean; readonly said: string }>

async function ofMember({ need, text, flag }: CommandInput, job: MemberJob): Promise<number> {
  const org = text('org') ?? DEFAULT_ORG_SLUG
  const [team, email] = [bare(need('team')), need('email').toLowerCase()]
  return withCommands(async (deps) => {
    const grant = await deps.access.openOrg(operatorViewer, org, 'member:read')
    const member = (await listMembers(deps, grant)).find((each) => each.email.toLowerCase() === email)
    if (!member) throw new UsageError(`${email} is no member of ${org}: sonde user create adds people`)
    const { changed, said } = await job(deps, grant, { team, userId: member.userId })
    print(flag('json') ? JSON.stringify({ team, email, changed }) : `${email} ${said} #${team}`)
    return 0
  })
}

/** `sonde team set-project`: gives a team a project with a role, or takes it. */
export async function setProject({ need, text, flag }: CommandInput): Promise<number> {
  const team = bare(need('team'))
  const [org = '', project = ''] = need('project').split('/')
  const role = TEAM_ROLES.find((known) => known === (text('role') ?? 'viewer'))
  if (project === '') throw new UsageError('--project is ORG/PROJECT')
  if (!role) throw new UsageError(`--role is one of ${TEAM_ROLES.join(', ')}`)
  return withCommands(async (deps) => {
    const grant = await deps.access.openProject(operatorViewer, org, project, 'project:write')
    if (flag('off')) await removeTeamProject(deps, grant, { team })
    else await setTeamProject(deps, grant, { team, role })
    const said = flag('off') ? `#${team} no longer has ${project}` : `#${team} has ${project} as ${role}`
    print(flag('json') ? JSON.stringify({ team, project, role: flag('off') ? null : role }) : said)
    return 0
  })
}

const bare = (team: string): string => team.replace(/^#/, '')
