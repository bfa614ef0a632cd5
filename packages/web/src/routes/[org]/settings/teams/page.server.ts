import { mayAlso, requireAlso } from '@sonde/access'
import { createTeam, InvalidInput, setMembersSee } from '@sonde/commands'
import { listMembers, listOrganizations, listTeams } from '@sonde/queries'
import { type ActionArgs, httpError, invalid, type LoadArgs, redirect } from '@sonde/router/server'
import { orEndPage, orgGrant } from '../../../../parts/access/page-grant.server.ts'
import { fieldsOf, type RefusedForm } from '../../../../parts/forms/posted-fields.ts'
import { paths } from '../../../../paths.ts'
import type { AppContext } from '../../../../server/app-context.server.ts'

export async function load(args: LoadArgs<AppContext, 'org'>) {
  const { queries } = args.context
  const grant = await orgGrant(args, 'member:read')
  const [teams, members, [organization]] = await Promise.all([
    listTeams(queries, grant),
    listMembers(queries, grant),
    listOrganizations(queries, [requireAlso(grant, 'org:read')]),
  ])
  const seeLess = members.filter(({ role }) => role === 'member' || role === 'viewer')
  return {
    orgName: grant.orgName,
    teams,
    membersSee: organization?.membersSee ?? 'all',
    // Whom a limit would leave without any project.
    withoutTeam: seeLess.filter((member) => member.teams.length === 0).length,
    isLimited: grant.projects !== undefined,
    mayChange: mayAlso(grant, 'team:write'),
    mayOwn: mayAlso(grant, 'org:write'),
  }
}

/** 303 to the new team or back, or 422 with the errors of each field. */
export async function action(args: ActionArgs<AppContext, 'org'>) {
  const { commands } = args.context
  const posted = fieldsOf(await args.formData())
  const form = posted.text('form')
  try {
    if (form === 'new-team') {
      const grant = await orgGrant(args, 'team:write')
      const { slug } = await createTeam(commands, grant, { name: posted.text('name') })
      return redirect(`${paths.team(grant.orgSlug, slug)}?saved=team-made`, 303)
    }
    if (form === 'members-see') {
      const grant = await orgGrant(args, 'org:write')
      const membersSee = posted.text('see') === 'teams' ? 'teams' : 'all'
      await orEndPage(setMembersSee(commands, grant, { membersSee }))
      return redirect(`${paths.teams(grant.orgSlug)}?saved=members-see-${membersSee}`, 303)
    }
    return httpError(400)
  } catch (error) {
    if (!(error instanceof InvalidInput)) throw error
    const { slug, ...fields } = error.fields
    const answer: RefusedForm = { form, fields: slug && !fields['name'] ? { ...fields, name: slug } : fields }
    return invalid(answer)
  }
}
