import { type Grant, requireAlso } from '@sonde/access'
import {
  addTeamMember,
  InvalidInput,
  removeMember,
  removeTeamMember,
  ROLES,
  setMemberRole,
} from '@sonde/commands'
import {
  listMembers,
  listOrganizations,
  listProjects,
  type MemberRow,
  type OrganizationRow,
} from '@sonde/queries'
import {
  type Api,
  type ApiContext,
  type ApiOptions,
  orgGrant,
  pathParam,
  projectGrant,
} from '../api-context.ts'
import { jsonBody, type JsonBody } from '../json-body.ts'
import { setPage } from '../request-params.ts'
import { isoDate, isoDateOrNull } from '../serializers/date.ts'
import {
  changeInvitation,
  endInvitation,
  invitationIdIn,
  pendingMemberJson,
  pendingMembers,
} from './invitation-routes.ts'
import { projectJson } from './project-routes.ts'

/**
 * Who belongs to an organization (https://docs.sentry.io/api/organizations/list-an-organizations-members/). A token changes
 * only members whose role is within its scopes.
 */
const LIST = '/organizations/:org/members'
const ONE = '/organizations/:org/members/:member'

export function memberRoutes(api: Api, options: ApiOptions): void {
  const { queries, commands, publicUrl } = options
  /** By id, or `me` for the one who asks. */
  const find = async (c: ApiContext) => {
    const viewer = c.get('viewer')
    const grant = await orgGrant(c, 'member:read')
    const requested = pathParam(c, 'member')
    const userId = requested === 'me' && viewer.kind !== 'operator' ? viewer.userId : requested
    const member = (await listMembers(queries, grant)).find((row) => row.userId === userId)
    const invited = invitationIdIn(requested)
    const invitation =
      invited === undefined
        ? undefined
        : (await pendingMembers(queries, grant)).find(({ invitationId }) => invitationId === invited)
    return { grant, member, invitation }
  }

  api.get(LIST, async (c) => {
    const grant = await orgGrant(c, 'member:read')
    const [members, pending] = await Promise.all([
      listMembers(queries, grant),
      pendingMembers(queries, grant),
    ])
    const rows = [...members.map((row) => memberJson(row)), ...pending.map((row) => pendingMemberJson(row))]
    const query = c.req.query('query') ?? ''
    return c.json(
      setPage(
        c,
        publicUrl,
        rows.filter((row) => matches(row, query)),
      ),
    )
  })

  /** Those who see the project. */
  api.get('/projects/:org/:project/members', async (c) => {
    const members = await listMembers(queries, await projectGrant(c, 'member:read'))
    return c.json(setPage(c, publicUrl, members).map((row) => memberJson(row)))
  })

  api.get(ONE, async (c) => {
    const { member, invitation } = await find(c)
    if (invitation) return c.json(pendingMemberJson(invitation))
    return member ? c.json(memberJson(member)) : c.notFound()
  })

  api.put(ONE, async (c) => {
    const { grant, member, invitation } = await find(c)
    if (invitation) return changeInvitation(c, options, grant, invitation)
    if (!member) return c.notFound()
    const mayWrite = requireAlso(grant, 'member:write')
    const body = await jsonBody(c)
    const wanted = body.text('orgRole') ?? body.text('role')
    const teams = teamSlugsIn(body)
    const role = ROLES.find((known) => known === wanted)
    if (!role && (wanted !== undefined || teams === undefined))
      throw new InvalidInput('change a role', { orgRole: [`is one of ${ROLES.join(', ')}`] })
    if (role) await setMemberRole(commands, mayWrite, { userId: member.userId, role })
    if (teams) await setTeams(options, mayWrite, member, teams)
    const { member: changed } = await find(c)
    return changed ? c.json(memberJson(changed)) : c.notFound()
  })

  api.delete(ONE, async (c) => {
    const { grant, member, invitation } = await find(c)
    if (invitation) return endInvitation(c, options, grant, invitation)
    if (!member) return c.notFound()
    await removeMember(commands, requireAlso(grant, 'member:write'), { userId: member.userId })
    return c.body(null, 204)
  })
}

/** `teamRoles: [{teamSlug, role}]` or `teams: [slug]`: all that the member is to be in; undefined: the body does not say. */
function teamSlugsIn(body: JsonBody): readonly string[] | undefined {
  const given = body.value('teamRoles') ?? body.value('teams')
  if (given === undefined || given === null) return undefined
  const slugs = Array.isArray(given)
    ? given.map((each: unknown) =>
        typeof each === 'object' && each !== null && 'teamSlug' in each ? each.teamSlug : each,
      )
    : [undefined]
  if (slugs.every((slug) => typeof slug === 'string')) return slugs
  throw new InvalidInput('change a member', { teamRoles: ['is a list like [{"teamSlug": "web"}]'] })
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

type Listed = {
  readonly id: string
  readonly email: string
  readonly name: string
  readonly role: string
  readonly pending: boolean
}

/** `ada`, `email:ada@acme.test`, `role:admin`, `id:…`, `isInvited:true`: every word has to match, in whatever case. */
function matches(row: Listed, query: string): boolean {
  const words = query.toLowerCase().slice(0, 500).split(/\s+/).filter(Boolean)
  return words.every((word) => {
    const [key = '', value] = word.split(':', 2)
    if (value === undefined) return [row.email, row.name].some((text) => text.toLowerCase().includes(word))
    if (key === 'email') return row.email.toLowerCase() === value
    if (key === 'role') return row.role === value
    if (key === 'id' || key === 'user.id') return row.id.toLowerCase() === value
    return key === 'isinvited' ? String(row.pending) === value : false
  })
}

/** https://docs.sentry.io/api/organizations/list-an-organizations-members/ */
export const memberJson = (row: MemberRow) => ({
  id: row.userId,
  email: row.email,
  name: row.name,
  user: {
    id: row.userId,
    name: row.name,
    username: row.email,
    email: row.email,
    avatarUrl: '',
    avatar: { avatarType: 'letter_avatar', avatarUuid: null },
    isActive: !row.isDisabled,
    has2fa: row.hasTwoFactor,
    dateJoined: isoDate(row.createdMs),
    lastActive: isoDateOrNull(row.lastSeenMs),
  },
  role: row.role,
  orgRole: row.role,
  roleName: ROLE_NAMES[row.role],
  pending: false,
  expired: false,
  inviteStatus: 'approved',
  inviterName: null,
  dateCreated: isoDate(row.addedMs),
  flags: {},
  teams: row.teams.map(({ slug }) => slug),
  teamRoles: row.teams.map(({ slug }) => ({ teamSlug: slug, role: null })),
})

const ROLE_NAMES = { owner: 'Owner', admin: 'Admin', member: 'Member', viewer: 'Viewer' } as const

/** Every field that sentry-cli insists on (`isEarlyAdopter`, `require2FA`, …) is here. */
const organizationJson = (row: OrganizationRow, publicUrl: string) => ({
  id: String(row.id),
  slug: row.slug,
  name: row.name,
  dateCreated: isoDate(row.createdMs),
  status: { id: 'active', name: 'active' },
  avatar: { avatarType: 'letter_avatar', avatarUuid: null },
  isEarlyAdopter: false,
  require2FA: row.requiresSecondFactor,
  requireEmailVerification: false,
  openMembership: row.membersSee === 'all',
  features: [] as string[],
  links: { organizationUrl: `${publicUrl}/${row.slug}`, regionUrl: publicUrl },
})

export function organizationRoutes(api: Api, { queries, publicUrl }: ApiOptions): void {
  api.get('/organizations', async (c) => {
    const rows = await listOrganizations(queries, await c.get('grants').openOrgs('org:read'))
    return c.json(setPage(c, publicUrl, rows).map((row) => organizationJson(row, publicUrl)))
  })

  api.get('/organizations/:org', async (c) => {
    const grant = await orgGrant(c, 'org:read')
    const [row] = await listOrganizations(queries, [grant])
    return row ? c.json(organizationJson(row, publicUrl)) : c.notFound()
  })

  api.get('/organizations/:org/projects', async (c) => {
    const grant = await orgGrant(c, 'org:read')
    const rows = setPage(c, publicUrl, await listProjects(queries, grant))
    return c.json(rows.map((row) => projectJson(row)))
  })
}

/** What the caller is, and where its organizations lie: sentry-cli asks to check a token and before listing. */
export function accountRoutes(api: Api, { publicUrl }: ApiOptions): void {
  api.get('/', async (c) => {
    const viewer = c.get('viewer')
    const visible = await c.get('grants').openOrgs('org:read')
    return c.json({
      version: '0',
      auth: viewer.kind === 'token' ? { scopes: viewer.scopes } : null,
      user: viewer.kind === 'user' ? { id: viewer.userId, email: viewer.email, name: viewer.name } : null,
      organizations: visible.map((org) => org.orgSlug),
    })
  })

  // The Terraform provider asks it before anything else: that it is answered, and to this token.
  api.get('/internal/health', (c) => c.json({ problems: [], healthy: {} }))

  api.get('/users/me/regions', (c) => c.json({ regions: [{ name: 'sonde', url: publicUrl }] }))
}
