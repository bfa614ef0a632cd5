import { type Grant, mayAlso, requireAlso } from '@sonde/access'
import { SondeError } from '@sonde/base'
import {
  allowEndlessTokens,
  createToken,
  deleteOrganization,
  deleteToken,
  type FieldErrors,
  InvalidInput,
  removeMember,
  requireSecondFactor,
  scopesOfRole,
  setMemberRole,
  setPublicLinks,
} from '@sonde/commands'
import {
  allowsEndlessTokens,
  allowsPublicLinks,
  listInvitations,
  listMembers,
  listOrganizations,
  listTokens,
} from '@sonde/queries'
import { type ActionArgs, httpError, invalid, type LoadArgs, redirect } from '@sonde/router/server'
import type { Role } from '@sonde/stores'
import { orEndPage, orgGrant, requireViewer } from '../../../parts/access/page-grant.server.ts'
import { fieldsOf, type PostedFields, postedLife } from '../../../parts/forms/posted-fields.ts'
import type { SavedForm } from '../../../parts/forms/saved-notice.tsx'
import type { MadeToken } from '../../../parts/tokens/token-form.tsx'
import { paths } from '../../../paths.ts'
import type { AppContext } from '../../../server/app-context.server.ts'
import { MEMBERS_ON_PAGE, type ShownMembers, shownMembers } from './shown-members.server.ts'

/** What the forms of an organization's settings post: the field `form` says which one it is. */
type Args = ActionArgs<AppContext, 'org'>
type OrgGrant = Grant<'member:read', 'org'>

type OrgAnswer = {
  /** The form that was posted: when it was refused, its own fields only are marked. */
  readonly form: string
  readonly fields: FieldErrors
  readonly madeToken?: MadeToken
}

/** 303 with `?saved=…`, 422 with the errors of each field, or 200 with a new token: it is shown this once. */
async function changeOrg(args: Args) {
  args.setHeader('cache-control', 'no-store')
  const grant = await orgGrant(args, 'member:read')
  const posted = fieldsOf(await args.formData())
  const form = posted.text('form')
  try {
    if (form === 'delete-organization') {
      const confirmSlug = posted.text('confirmSlug')
      const may = await orgGrant(args, 'org:write')
      await deleteOrganization(args.context.commands, may, { confirmSlug })
      return redirect(`${paths.deletedOrganizations()}?saved=organization-deleted`, 303)
    }
    if (form === 'new-token') return await orEndPage(makeToken(args, grant, posted))
    const saved = await orEndPage(orGone(posted, change(args, grant, posted)))
    // The list stays as it was narrowed: who changes one of many goes on with the next.
    const { shown } = shownMembers(await listMembers(args.context.queries, grant), args.url.searchParams)
    return redirect(paths.orgSettings(grant.orgSlug, { ...filterOf(shown), saved }), 303)
  } catch (error) {
    const refused = refusal(error)
    if (!refused) throw error
    const answer: OrgAnswer = { form: form === 'member' ? memberForm(posted) : form, fields: refused }
    return invalid(answer)
  }
}

const filterOf = ({ page, ...filter }: ShownMembers['shown']) => ({
  ...filter,
  page: page === 1 ? '' : String(page),
})

/** Whoever somebody else removed meanwhile is gone from the list: that is said above it, not by a page that is not there. */
async function orGone(posted: PostedFields, changed: Promise<SavedForm>): Promise<SavedForm> {
  try {
    return await changed
  } catch (error) {
    const isGone = error instanceof SondeError && error.kind === 'not-found'
    if (isGone && posted.text('form') === 'member') return 'member-gone'
    if (isGone && posted.text('form') === 'token') return 'token-gone'
    throw error
  }
}

const memberForm = (posted: PostedFields): string => `member-${posted.text('userId')}`

async function change(args: Args, grant: OrgGrant, posted: PostedFields): Promise<SavedForm> {
  const { commands } = args.context
  const form = posted.text('form')
  const does = posted.text('does')
  const userId = posted.text('userId')
  if (form === 'member' && does === 'role') {
    // A role that is none is refused by the command, in words.
    await setMemberRole(commands, requireAlso(grant, 'member:write'), {
      userId,
      role: posted.text('role') as Role,
    })
    return 'member-role'
  }
  if (form === 'member' && does === 'remove') {
    await removeMember(commands, requireAlso(grant, 'member:write'), {
      userId,
      keepTokens: posted.has('keepTokens'),
    })
    return 'member-removed'
  }
  if (form === 'token') {
    await deleteToken(commands, requireAlso(grant, 'token:write'), { tokenId: posted.number('tokenId') })
    return 'token-deleted'
  }
  if (form === 'second-factor') {
    const isRequired = posted.text('require') === 'yes'
    await requireSecondFactor(commands, requireAlso(grant, 'org:write'), isRequired)
    return isRequired ? 'second-factor-on' : 'second-factor-off'
  }
  if (form === 'public-links') {
    const areAllowed = posted.text('allow') === 'yes'
    await setPublicLinks(commands, requireAlso(grant, 'org:write'), { areAllowed })
    return areAllowed ? 'public-links-on' : 'public-links-off'
  }
  if (form === 'endless') {
    const isAllowed = posted.text('allow') === 'yes'
    await allowEndlessTokens(commands, requireAlso(grant, 'org:write'), isAllowed)
    return isAllowed ? 'endless-on' : 'endless-off'
  }
  return httpError(400)
}

async function makeToken(args: Args, grant: OrgGrant, posted: PostedFields): Promise<OrgAnswer> {
  const { name, token } = await createToken(args.context.commands, requireAlso(grant, 'token:write'), {
    name: posted.text('name'),
    scopes: posted.all('scopes'),
    expiresInDays: postedLife(posted),
    currentPassword: posted.secret('currentPassword'),
  })
  return { form: 'token-made', fields: {}, madeToken: { name, token } }
}

/** The last owner is told so beside the form, like a field that is wrong. */
function refusal(error: unknown): FieldErrors | undefined {
  if (error instanceof InvalidInput) return error.fields
  const isConflict = error instanceof SondeError && error.kind === 'conflict'
  return isConflict ? { role: [error.message] } : undefined
}

export async function load(args: LoadArgs<AppContext, 'org'>) {
  const { queries } = args.context
  const viewer = requireViewer(args)
  const grant = await orgGrant(args, 'member:read')
  const mayChange = mayAlso(grant, 'member:write')
  const mayOwn = mayAlso(grant, 'org:write')
  const [all, mayBeEndless, tokens, invitations, [organization], publicLinks] = await Promise.all([
    listMembers(queries, grant),
    allowsEndlessTokens(queries, [grant.orgId]),
    mayAlso(grant, 'token:write') ? listTokens(queries, requireAlso(grant, 'token:write')) : undefined,
    mayChange ? listInvitations(queries, grant) : [],
    listOrganizations(queries, [requireAlso(grant, 'org:read')]),
    allowsPublicLinks(queries, grant.orgId),
  ])
  const { shown, found, onPage, teams } = shownMembers(all, args.url.searchParams)
  const owners = all.filter(({ role, isDisabled }) => role === 'owner' && !isDisabled)
  const ownerIds = new Set(all.filter(({ role }) => role === 'owner').map(({ userId }) => userId))
  const role: Role = viewer.memberships.find(({ orgId }) => orgId === grant.orgId)?.role ?? 'viewer'
  return {
    orgName: grant.orgName,
    shown,
    teams,
    pageSize: MEMBERS_ON_PAGE,
    memberCount: all.length,
    invitationCount: invitations.length,
    requiresSecondFactor: organization?.requiresSecondFactor ?? false,
    withoutSecondFactor: all.filter(({ hasTwoFactor, isDisabled }) => !hasTwoFactor && !isDisabled).length,
    foundCount: found.length,
    members: onPage.map((member) => ({
      ...member,
      isYou: member.userId === viewer.userId,
      isLastOwner: owners.length === 1 && owners[0]?.userId === member.userId,
      // Only owners touch owners.
      mayTouch: mayChange && (member.role !== 'owner' || mayOwn),
      madeTokens: tokens?.filter((token) => !token.isPersonal && token.madeBy?.userId === member.userId)
        .length,
    })),
    tokens: tokens?.map((token) => ({
      ...token,
      mayDelete: mayOwn || !token.isPersonal || !ownerIds.has(token.madeBy?.userId ?? ''),
    })),
    scopes: scopesOfRole(role),
    mayBeEndless,
    allowsPublicLinks: publicLinks,
    mayChange,
    mayOwn,
  }
}

export const action = (args: ActionArgs<AppContext, 'org'>) => changeOrg(args)
