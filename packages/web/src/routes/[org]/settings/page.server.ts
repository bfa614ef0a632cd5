import { mayAlso, requireAlso } from '@sonde/access'
import type { Role } from '@sonde/stores'
import { scopesOfRole } from '@sonde/commands'
import { allowsEndlessTokens, listMembers, listTokens, type MemberRow } from '@sonde/queries'
import type { ActionArgs, LoadArgs } from '@sonde/router/server'
import { changeOrg } from './change-org.server.ts'
import type { AppContext } from '../../../server/app-context.server.ts'
import { orgGrant, requireViewer } from '../../../parts/access/page-grant.server.ts'

/** More lines than anybody reads; what is looked for is found by its name. */
const MAX_SHOWN = 100

export async function load(args: LoadArgs<AppContext, 'org'>) {
  const { queries } = args.context
  const viewer = requireViewer(args)
  const grant = await orgGrant(args, 'member:read')
  const mayChange = mayAlso(grant, 'member:write')
  const mayOwn = mayAlso(grant, 'org:write')
  const [all, mayBeEndless, tokens] = await Promise.all([
    listMembers(queries, grant),
    allowsEndlessTokens(queries, [grant.orgId]),
    mayAlso(grant, 'token:write') ? listTokens(queries, requireAlso(grant, 'token:write')) : undefined,
  ])
  const search = args.url.searchParams.get('q')?.trim() ?? ''
  const found = all.filter((member) => isMeant(member, search))
  const owners = all.filter(({ role, isDisabled }) => role === 'owner' && !isDisabled)
  const ownerIds = new Set(all.filter(({ role }) => role === 'owner').map(({ userId }) => userId))
  const role: Role = viewer.memberships.find(({ orgId }) => orgId === grant.orgId)?.role ?? 'viewer'
  return {
    orgName: grant.orgName,
    search,
    memberCount: all.length,
    foundCount: found.length,
    members: found.slice(0, MAX_SHOWN).map((member) => ({
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
    mayChange,
    mayOwn,
  }
}

const isMeant = ({ name, email }: MemberRow, search: string): boolean =>
  `${name} ${email}`.toLowerCase().includes(search.toLowerCase())

export const action = (args: ActionArgs<AppContext, 'org'>) => changeOrg(args)
