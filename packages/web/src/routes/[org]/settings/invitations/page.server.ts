import { type Grant, mayAlso } from '@sonde/access'
import { SondeError } from '@sonde/base'
import {
  createInviteLink,
  type FieldErrors,
  INVITATION_LIMITS,
  InvalidInput,
  type Invited,
  inviteMembers,
  renewInvitation,
  revokeInvitation,
} from '@sonde/commands'
import { listInvitations, listTeams } from '@sonde/queries'
import { type ActionArgs, httpError, invalid, type LoadArgs, redirect } from '@sonde/router/server'
import type { Role } from '@sonde/stores'
import { orEndPage, orgGrant } from '../../../../parts/access/page-grant.server.ts'
import { fieldsOf, type PostedFields } from '../../../../parts/forms/posted-fields.ts'
import type { SavedForm } from '../../../../parts/forms/saved-notice.tsx'
import { paths } from '../../../../paths.ts'
import type { AppContext } from '../../../../server/app-context.server.ts'

/** For who may invite: everybody else sees the members alone. */
export async function load(args: LoadArgs<AppContext, 'org'>) {
  const { queries, hasMail } = args.context
  const grant = await orgGrant(args, 'member:write')
  const [invitations, teams] = await Promise.all([listInvitations(queries, grant), listTeams(queries, grant)])
  return {
    orgName: grant.orgName,
    invitations,
    teams: teams.map(({ id, name }) => ({ id, name })),
    hasMail,
    mayOwn: mayAlso(grant, 'org:write'),
    atOnce: INVITATION_LIMITS.addressesAtOnce,
    mostUses: INVITATION_LIMITS.usesOfOpenLink,
  }
}

type Answer = {
  readonly form: string
  readonly fields: FieldErrors
  /** Links, shown this once. */
  readonly links?: readonly { readonly email?: string | undefined; readonly url: string }[]
  /** Who is a member already and got none. */
  readonly members?: readonly string[]
}

/** 303 with `?saved=…`, 422 with the errors of each field, or 200 with links that are shown this once. */
export async function action(args: ActionArgs<AppContext, 'org'>) {
  args.setHeader('cache-control', 'no-store')
  const grant = await orgGrant(args, 'member:write')
  const posted = fieldsOf(await args.formData())
  const form = posted.text('form')
  const saved = (what: SavedForm): never => redirect(`${paths.invitations(grant.orgSlug)}?saved=${what}`, 303)
  try {
    return await orEndPage(change(args, grant, posted, saved))
  } catch (error) {
    const fields = refusal(error)
    if (!fields) throw error
    const answer: Answer = { form, fields }
    return invalid(answer)
  }
}

async function change(
  { context: { commands } }: ActionArgs<AppContext, 'org'>,
  grant: Grant<'member:write', 'org'>,
  posted: PostedFields,
  saved: (what: SavedForm) => never,
): Promise<Answer> {
  const form = posted.text('form')
  const invitationId = posted.number('invitationId')
  const common = { teamIds: posted.all('teamIds').map(Number), days: posted.number('days') }
  if (form === 'invite') {
    const { invited, members } = await inviteMembers(commands, grant, {
      emails: addressesIn(posted.text('emails')),
      // A role that is none is refused by the command, in words.
      role: posted.text('role') as Role,
      byMail: posted.text('does') !== 'links',
      ...common,
    })
    const links = linksOf(invited)
    // Nobody was invited: the form says so, with what was typed.
    if (invited.length === 0) throw new InvalidInput('invite members', { emails: [areMembers(members)] })
    if (links.length > 0) return { form: 'invite-done', fields: {}, links, members }
    return saved(members.length > 0 ? 'invited-members' : 'invited')
  }
  if (form === 'open-link') {
    const input = { role: posted.text('role'), maxUses: posted.number('maxUses'), ...common }
    const made = await createInviteLink(commands, grant, input)
    return { form: 'open-link-done', fields: {}, links: linksOf([made]) }
  }
  if (form === 'renew') {
    const byMail = posted.text('does') !== 'link'
    const renewed = await renewInvitation(commands, grant, { invitationId, byMail })
    const links = linksOf([renewed])
    return links.length > 0 ? { form: 'renew-done', fields: {}, links } : saved('invitation-renewed')
  }
  if (form === 'revoke') {
    await revokeInvitation(commands, grant, { invitationId })
    return saved('invitation-revoked')
  }
  return httpError(400)
}

const areMembers = (emails: readonly string[]): string =>
  emails.length === 1 ? `${emails.join()} is a member already` : 'all of these are members already'

const linksOf = (invited: readonly Invited[]) =>
  invited.flatMap(({ email, url }) => (url === undefined ? [] : [{ email, url }]))

/** One in each line, or between commas, as people paste them from a mail. */
const addressesIn = (text: string): string[] => text.split(/[\s,;]+/).filter((part) => part !== '')

function refusal(error: unknown): FieldErrors | undefined {
  if (error instanceof InvalidInput) return error.fields
  if (!(error instanceof SondeError) || (error.kind !== 'conflict' && error.kind !== 'forbidden'))
    return undefined
  return { [error.kind === 'forbidden' ? 'role' : 'emails']: [error.message] }
}
