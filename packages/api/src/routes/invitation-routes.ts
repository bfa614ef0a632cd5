/**
 * Invitations, as members that are pending (https://docs.sentry.io/api/organizations/add-a-member-to-an-organization/). Their
 * ids begin with `invite-`.
 */
import { type Grant, mayAlso, requireAlso } from '@sonde/access'
import { InvalidInput, type Invited, inviteMembers, renewInvitation, revokeInvitation } from '@sonde/commands'
import { type InvitationRow, listInvitations, listTeams, type QueryDeps } from '@sonde/queries'
import type { Role } from '@sonde/stores'
import { type Api, type ApiContext, type ApiOptions, orgGrant } from '../api-context.ts'
import { type JsonBody, jsonBody } from '../json-body.ts'
import { isoDate } from '../serializers/date.ts'

const LIST = '/organizations/:org/members'
const ID = /^invite-(\d{1,15})$/

/** Undefined: it is no id of an invitation. */
export function invitationIdIn(requested: string | undefined): number | undefined {
  const [, id] = ID.exec(requested ?? '') ?? []
  return id === undefined ? undefined : Number(id)
}

/** Those that are for somebody, to who may see whom others asked; an open link is no member. */
export async function pendingMembers(
  queries: QueryDeps,
  grant: Grant<'member:read', 'org'>,
): Promise<readonly InvitationRow[]> {
  if (!mayAlso(grant, 'member:write')) return []
  return (await listInvitations(queries, grant)).filter(({ email }) => email !== undefined)
}

export function invitationRoutes(api: Api, { queries, commands }: ApiOptions): void {
  api.post(LIST, async (c) => {
    const grant = await orgGrant(c, 'member:write')
    const body = await jsonBody(c)
    const email = body.text('email') ?? ''
    // A role that is none is refused by the command, in words.
    const role = (body.text('orgRole') ?? body.text('role') ?? 'member') as Role
    const { invited, members } = await inviteMembers(commands, grant, {
      emails: [email],
      role,
      teamIds: await teamIdsIn(queries, grant, body),
      byMail: body.flag('sendInvite') ?? true,
    }).catch(asApiFields)
    if (members.length > 0)
      throw new InvalidInput('invite a member', { email: [`${members.join(', ')} is a member already`] })
    const [made] = invited
    const row = (await pendingMembers(queries, grant)).find(
      ({ invitationId }) => invitationId === made?.invitationId,
    )
    return row ? c.json(pendingMemberJson(row, made), 201) : c.notFound()
  })
}

/** `reinvite` sends it again; its role is another invitation's. */
export async function changeInvitation(
  c: ApiContext,
  { queries, commands }: ApiOptions,
  grant: Grant<'member:read', 'org'>,
  row: InvitationRow,
): Promise<Response> {
  const mayWrite = requireAlso(grant, 'member:write')
  const body = await jsonBody(c)
  if (body.flag('reinvite') !== true)
    throw new InvalidInput('change an invitation', {
      reinvite: ['true sends it again; to change its role, invite the address once more'],
    })
  const byMail = body.flag('sendInvite') ?? true
  const renewed = await renewInvitation(commands, mayWrite, { invitationId: row.invitationId, byMail })
  const [now = row] = (await pendingMembers(queries, grant)).filter(
    ({ invitationId }) => invitationId === row.invitationId,
  )
  return c.json(pendingMemberJson(now, renewed))
}

export async function endInvitation(
  c: ApiContext,
  { commands }: ApiOptions,
  grant: Grant<'member:read', 'org'>,
  { invitationId }: InvitationRow,
): Promise<Response> {
  await revokeInvitation(commands, requireAlso(grant, 'member:write'), { invitationId })
  return c.body(null, 204)
}

/** `teamRoles: [{teamSlug, role}]`, or `teams: [slug]`. Roles of members within a team are all the same here. */
async function teamIdsIn(
  queries: QueryDeps,
  grant: Grant<'member:read', 'org'>,
  body: JsonBody,
): Promise<number[]> {
  const named = [body.value('teamRoles'), body.value('teams')]
    .flatMap((list) => (Array.isArray(list) ? (list as readonly unknown[]) : []))
    .slice(0, 100)
    .map((item) =>
      typeof item === 'object' && item !== null ? (item as { teamSlug?: unknown }).teamSlug : item,
    )
  if (named.length === 0) return []
  const teams = await listTeams(queries, grant)
  return named.map((slug) => {
    const team = teams.find((each) => each.slug === slug)
    if (!team) throw new InvalidInput('invite a member', { teamRoles: [`no team "${String(slug)}" is here`] })
    return team.id
  })
}

/** The command's names of fields are not the API's. */
function asApiFields(error: unknown): never {
  if (!(error instanceof InvalidInput)) throw error
  const { emails, role, ...others } = error.fields
  throw new InvalidInput('invite a member', {
    ...others,
    ...(emails && { email: emails }),
    ...(role && { orgRole: role }),
  })
}

/** `made`: what was just made, with its link when nobody was mailed. */
export const pendingMemberJson = (row: InvitationRow, made?: Invited) => ({
  id: `invite-${row.invitationId}`,
  email: row.email ?? '',
  name: row.email ?? '',
  user: null,
  role: row.role,
  orgRole: row.role,
  roleName: row.role.replace(/^./, (letter) => letter.toUpperCase()),
  pending: true,
  expired: row.isExpired,
  inviteStatus: 'approved',
  inviterName: row.invitedBy ?? null,
  dateCreated: isoDate(row.createdMs),
  flags: {},
  teams: row.teams,
  ...(made?.url !== undefined && { invite_link: made.url }),
})
