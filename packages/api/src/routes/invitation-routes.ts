/**
 * Invitations, as members that are pending (https://docs.sentry.io/api/organizations/add-a-member-to-an-organization/). Their
 * ids begin with `invite-`.
 */
import { type Grant, mayAlso, requireAlso } from '@sonde/access'
import { InvalidInput, inviteMembers, renewInvitation, revokeInvitation } from '@sonde/commands'
import { type InvitationRow, listInvitations, listTeams, type QueryDeps } from '@sonde/queries'
import type { Role } from '@sonde/stores'
import { z } from 'zod'
import type { ApiOptions } from '../api-context.ts'
import type { Api } from '../described-routes.ts'
import { Member, pendingMemberJson } from '../serializers/member.ts'

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

const FORM = 'is a list like [{"teamSlug": "web"}]'

/** All teams that somebody is to be in. Roles of members within a team are all the same here. */
export const MemberTeams = z.object({
  teamRoles: z
    .array(z.union([z.object({ teamSlug: z.string() }), z.string()], FORM), FORM)
    .max(100, 'has at most 100 teams')
    .optional(),
  teams: z.array(z.string(), 'is a list of slugs').max(100, 'has at most 100 teams').optional(),
})

/** Undefined: the body does not say. */
export function teamSlugsOf({ teamRoles, teams }: z.output<typeof MemberTeams>): string[] | undefined {
  return (teamRoles ?? teams)?.map((team) => (typeof team === 'string' ? team : team.teamSlug))
}

export function invitationRoutes(api: Api, { queries, commands }: ApiOptions): void {
  api.post(
    '/organizations/:org/members',
    {
      id: 'inviteMember',
      summary: 'Invite somebody',
      tag: 'Members',
      permission: 'member:write',
      body: MemberTeams.extend({
        email: z.string().default(''),
        orgRole: z.string().optional().meta({ description: '`member` unless given.' }),
        role: z.string().optional().meta({ description: 'The same as `orgRole`.' }),
        sendInvite: z.boolean().default(true).meta({ description: 'By mail; else the answer has the link.' }),
      }),
      answer: Member,
      status: 201,
    },
    async ({ grant, body }) => {
      // A role that is none is refused by the command, in words.
      const role = (body.orgRole ?? body.role ?? 'member') as Role
      const { invited, members } = await inviteMembers(commands, grant, {
        emails: [body.email],
        role,
        teamIds: await teamIdsOf(queries, grant, teamSlugsOf(body) ?? []),
        byMail: body.sendInvite,
      }).catch(asApiFields)
      if (members.length > 0)
        throw new InvalidInput('invite a member', { email: [`${members.join(', ')} is a member already`] })
      const [made] = invited
      const row = (await pendingMembers(queries, grant)).find(
        ({ invitationId }) => invitationId === made?.invitationId,
      )
      return row && pendingMemberJson(row, made)
    },
  )
}

/** `reinvite` sends it again; its role is another invitation's. */
export async function changeInvitation(
  { queries, commands }: ApiOptions,
  grant: Grant<'member:read', 'org'>,
  row: InvitationRow,
  {
    reinvite,
    sendInvite = true,
  }: { readonly reinvite?: boolean | undefined; readonly sendInvite?: boolean | undefined },
): Promise<Member> {
  const mayWrite = requireAlso(grant, 'member:write')
  if (reinvite !== true)
    throw new InvalidInput('change an invitation', {
      reinvite: ['true sends it again; to change its role, invite the address once more'],
    })
  const { invitationId } = row
  const renewed = await renewInvitation(commands, mayWrite, { invitationId, byMail: sendInvite })
  const pending = await pendingMembers(queries, grant)
  return pendingMemberJson(pending.find((each) => each.invitationId === invitationId) ?? row, renewed)
}

export async function endInvitation(
  { commands }: ApiOptions,
  grant: Grant<'member:read', 'org'>,
  { invitationId }: InvitationRow,
): Promise<void> {
  await revokeInvitation(commands, requireAlso(grant, 'member:write'), { invitationId })
}

async function teamIdsOf(
  queries: QueryDeps,
  grant: Grant<'member:read', 'org'>,
  slugs: readonly string[],
): Promise<number[]> {
  if (slugs.length === 0) return []
  const teams = await listTeams(queries, grant)
  return slugs.map((slug) => {
    const team = teams.find((each) => each.slug === slug)
    if (!team) throw new InvalidInput('invite a member', { teamRoles: [`no team "${slug}" is here`] })
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
