/**
 * Who belongs to an organization (https://docs.sentry.io/api/organizations/list-an-organizations-members/). A token changes
 * only members whose role is within its scopes.
 */
import { type Grant, requireAlso } from '@sonde/access'
import {
  addTeamMember,
  InvalidInput,
  removeMember,
  removeTeamMember,
  ROLES,
  setMemberRole,
} from '@sonde/commands'
import { listMembers, type MemberRow } from '@sonde/queries'
import { z } from 'zod'
import { type ApiContext, type ApiOptions, notFound } from '../api-context.ts'
import type { Api } from '../described-routes.ts'
import { setPage } from '../pages.ts'
import { text } from '../query-schemas.ts'
import { Member, memberJson, pendingMemberJson } from '../serializers/member.ts'
import {
  changeInvitation,
  endInvitation,
  invitationIdIn,
  MemberTeams,
  pendingMembers,
  teamSlugsOf,
} from './invitation-routes.ts'

const LIST = '/organizations/:org/members'
const ONE = '/organizations/:org/members/:member'

const role = z.enum(ROLES, `is one of ${ROLES.join(', ')}`).optional()

export function memberRoutes(api: Api, options: ApiOptions): void {
  const { queries, commands, publicUrl } = options
  /** By id, or `me` for the one who asks. */
  const find = async (c: ApiContext, grant: Grant<'member:read', 'org'>, requested: string) => {
    const viewer = c.get('viewer')
    const userId = requested === 'me' && viewer.kind !== 'operator' ? viewer.userId : requested
    const member = (await listMembers(queries, grant)).find((row) => row.userId === userId)
    const invited = invitationIdIn(requested)
    const invitation =
      invited === undefined
        ? undefined
        : (await pendingMembers(queries, grant)).find(({ invitationId }) => invitationId === invited)
    return { member, invitation }
  }

  api.get(
    LIST,
    {
      id: 'listMembers',
      summary: 'List the members of an organization',
      description: 'With those who were invited, for who may see that.',
      tag: 'Members',
      permission: 'member:read',
      query: z.object({
        query: text(
          'Words that all have to match: `ada`, `email:ada@acme.test`, `role:admin`, `isInvited:true`.',
        ),
      }),
      pages: true,
      answer: z.array(Member),
    },
    async ({ c, grant, query }) => {
      const [members, pending] = await Promise.all([
        listMembers(queries, grant),
        pendingMembers(queries, grant),
      ])
      const rows = [...members.map(memberJson), ...pending.map((row) => pendingMemberJson(row))]
      return setPage(
        c,
        publicUrl,
        rows.filter((row) => matches(row, query.query ?? '')),
      )
    },
  )

  api.get(
    '/projects/:org/:project/members',
    {
      id: 'listProjectMembers',
      summary: 'List the members who see a project',
      tag: 'Members',
      permission: 'member:read',
      pages: true,
      answer: z.array(Member),
    },
    async ({ c, grant }) => setPage(c, publicUrl, await listMembers(queries, grant)).map(memberJson),
  )

  api.get(
    ONE,
    {
      id: 'getMember',
      summary: 'Read a member',
      tag: 'Members',
      permission: 'member:read',
      answer: Member,
    },
    async ({ c, grant, params }) => {
      const { member, invitation } = await find(c, grant, params.member)
      if (invitation) return pendingMemberJson(invitation)
      return member && memberJson(member)
    },
  )

  api.put(
    ONE,
    {
      id: 'updateMember',
      summary: 'Change the role and the teams of a member, or send an invitation again',
      tag: 'Members',
      permission: 'member:read',
      opens: 'member:write',
      body: MemberTeams.extend({
        orgRole: role,
        role: role.meta({ description: 'The same as `orgRole`.' }),
        reinvite: z.boolean().optional().meta({ description: 'Of an invitation: true sends it again.' }),
        sendInvite: z.boolean().optional().meta({ description: 'By mail, unless false.' }),
      }),
      answer: Member,
    },
    async ({ c, grant, params, body }) => {
      const { member, invitation } = await find(c, grant, params.member)
      if (invitation) return changeInvitation(options, grant, invitation, body)
      if (!member) return undefined
      const mayWrite = requireAlso(grant, 'member:write')
      const teams = teamSlugsOf(body)
      const wanted = body.orgRole ?? body.role
      if (!wanted && !teams)
        throw new InvalidInput('change a role', { orgRole: [`is one of ${ROLES.join(', ')}`] })
      if (wanted) await setMemberRole(commands, mayWrite, { userId: member.userId, role: wanted })
      if (teams) await setTeams(options, mayWrite, member, teams)
      const { member: changed } = await find(c, grant, params.member)
      return changed && memberJson(changed)
    },
  )

  api.delete(
    ONE,
    {
      id: 'deleteMember',
      summary: 'Remove a member, or revoke an invitation',
      tag: 'Members',
      permission: 'member:read',
      opens: 'member:write',
    },
    async ({ c, grant, params }) => {
      const { member, invitation } = await find(c, grant, params.member)
      if (invitation) return endInvitation(options, grant, invitation)
      if (!member) throw notFound('remove a member')
      await removeMember(commands, requireAlso(grant, 'member:write'), { userId: member.userId })
    },
  )
}

async function setTeams(
  { commands }: ApiOptions,
  grant: Grant<'member:write', 'org'>,
  { userId, teams: before }: MemberRow,
  slugs: readonly string[],
): Promise<void> {
  for (const slug of slugs)
    if (!before.some((team) => team.slug === slug))
      await addTeamMember(commands, grant, { team: slug, userId })
  for (const { id, slug } of before)
    if (!slugs.includes(slug)) await removeTeamMember(commands, grant, { team: id, userId })
}

/** `ada`, `email:ada@acme.test`, `role:admin`, `id:…`, `isInvited:true`: every word has to match, in whatever case. */
function matches(row: Pick<Member, 'id' | 'email' | 'name' | 'role' | 'pending'>, query: string): boolean {
  const words = query.toLowerCase().slice(0, 500).split(/\s+/).filter(Boolean)
  return words.every((word) => {
    const [key = '', value] = word.split(':', 2)
    if (value === undefined) return [row.email, row.name].some((name) => name.toLowerCase().includes(word))
    if (key === 'email') return row.email.toLowerCase() === value
    if (key === 'role') return row.role === value
    if (key === 'id' || key === 'user.id') return row.id.toLowerCase() === value
    return key === 'isinvited' ? String(row.pending) === value : false
  })
}
