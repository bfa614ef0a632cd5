import { type Grant, mayAlso, requireAlso } from '@sonde/access'
import { SondeError } from '@sonde/base'
import {
  addTeamMember,
  deleteTeam,
  type FieldErrors,
  InvalidInput,
  removeTeamMember,
  removeTeamProject,
  setTeamProject,
  updateTeam,
} from '@sonde/commands'
import { listMembers, listOrganizations, listProjects, listTeams } from '@sonde/queries'
import { type ActionArgs, httpError, invalid, type LoadArgs, notFound, redirect } from '@sonde/router/server'
import {
  grantsOf,
  orEndPage,
  orgGrant,
  requireViewer,
} from '../../../../../parts/access/page-grant.server.ts'
import { fieldsOf, type PostedFields, type RefusedForm } from '../../../../../parts/forms/posted-fields.ts'
import type { SavedForm } from '../../../../../parts/forms/saved-notice.tsx'
import { postedTeamRole } from '../../../../../parts/teams/posted-role.server.ts'
import { paths } from '../../../../../paths.ts'
import type { AppContext } from '../../../../../server/app-context.server.ts'

/** As many as a browser offers without becoming slow; others are typed. */
const MAX_OFFERED = 500

export async function load(args: LoadArgs<AppContext, 'org' | 'team'>) {
  const { queries } = args.context
  const viewer = requireViewer(args)
  const grant = await orgGrant(args, 'member:read')
  const [teams, members, [organization], projects] = await Promise.all([
    listTeams(queries, grant),
    listMembers(queries, grant),
    listOrganizations(queries, [requireAlso(grant, 'org:read')]),
    listProjects(queries, requireAlso(grant, 'project:read')),
  ])
  const team = teams.find(({ slug }) => slug === args.params.team)
  if (!team) return notFound()
  const isIn = (member: (typeof members)[number]): boolean => member.teams.some(({ id }) => id === team.id)
  const own = members.find(({ userId }) => userId === viewer.userId)
  const mayChange = mayAlso(grant, 'team:write')
  const had = new Set(team.projects.map(({ id }) => id))
  return {
    orgName: grant.orgName,
    team,
    members: members.filter(isIn).map((member) => ({ ...member, isYou: member.userId === viewer.userId })),
    others: mayChange
      ? members
          .filter((member) => !isIn(member))
          .slice(0, MAX_OFFERED)
          .map(({ email, name }) => ({ email, name }))
      : [],
    otherProjects: mayChange
      ? projects.filter(({ id }) => !had.has(id)).map(({ slug, name }) => ({ slug, name }))
      : [],
    hasProjects: projects.length > 0,
    mayJoin: own !== undefined && !team.isMember && (mayChange || organization?.membersSee === 'all'),
    mayChange,
  }
}

type Args = ActionArgs<AppContext, 'org' | 'team'>

/** 303 back with `?saved=…`, to the teams after the last, or 422 with the errors of each field. */
export async function action(args: Args) {
  const grant = await orgGrant(args, 'member:read')
  const posted = fieldsOf(await args.formData())
  const form = posted.text('form')
  try {
    const { saved, slug } = await orEndPage(change(args, grant, posted))
    const place = slug === undefined ? paths.teams(grant.orgSlug) : paths.team(grant.orgSlug, slug)
    return redirect(`${place}?saved=${saved}`, 303)
  } catch (error) {
    const fields = refusal(error)
    if (!fields) throw error
    const answer: RefusedForm = {
      form: form === 'project' ? `project-${posted.text('project')}` : form,
      fields,
    }
    return invalid(answer)
  }
}

type Changed = { readonly saved: SavedForm; readonly slug?: string }

async function change(
  args: Args,
  grant: Grant<'member:read', 'org'>,
  posted: PostedFields,
): Promise<Changed> {
  const { commands, queries } = args.context
  const { team } = args.params
  const form = posted.text('form')
  const does = posted.text('does')
  const viewer = requireViewer(args)
  if (form === 'team') {
    const input = { team, name: posted.text('name'), slug: posted.text('slug') }
    const { slug } = await updateTeam(commands, requireAlso(grant, 'team:write'), input)
    return { saved: 'team-saved', slug }
  }
  if (form === 'delete-team') {
    await deleteTeam(commands, requireAlso(grant, 'team:delete'), { team })
    return { saved: 'team-deleted' }
  }
  if (form === 'membership') {
    const input = { team, userId: viewer.userId }
    if (does === 'leave') await removeTeamMember(commands, grant, input)
    else await orRefuse(addTeamMember(commands, grant, input), 'does')
    return { saved: does === 'leave' ? 'team-left' : 'team-joined', slug: team }
  }
  if (form === 'add-member') {
    const email = posted.text('email').toLowerCase()
    const member = (await listMembers(queries, grant)).find((each) => each.email.toLowerCase() === email)
    if (!member)
      throw new InvalidInput('add a member to a team', {
        email: ['is the address of no member: invite first'],
      })
    await addTeamMember(commands, requireAlso(grant, 'team:write'), { team, userId: member.userId })
    return { saved: 'team-member-added', slug: team }
  }
  if (form === 'member') {
    await removeTeamMember(commands, grant, { team, userId: posted.text('userId') })
    return { saved: 'team-member-removed', slug: team }
  }
  if (form === 'project' || form === 'add-project') {
    const project = await grantsOf(args).openProject(grant.orgId, posted.text('project'), 'project:write')
    if (does === 'take') {
      await removeTeamProject(commands, project, { team })
      return { saved: 'team-project-removed', slug: team }
    }
    await setTeamProject(commands, project, { team, role: postedTeamRole(posted) })
    return { saved: 'team-project-saved', slug: team }
  }
  return httpError(400)
}

/** What a member may not do by themselves is said beside the button. */
async function orRefuse<Result>(job: Promise<Result>, field: string): Promise<Result> {
  try {
    return await job
  } catch (error) {
    if (!(error instanceof SondeError) || error.kind !== 'forbidden') throw error
    throw new InvalidInput('join a team', { [field]: [`${error.message}. Ask an admin to add you.`] })
  }
}

const refusal = (error: unknown): FieldErrors | undefined =>
  error instanceof InvalidInput ? error.fields : undefined
