/**
 * Who belongs to an organisation (https://docs.sentry.io/api/organizations/list-an-organizations-members/). No grant of a
 * token changes members: only a person who is signed in does.
 */
import { requireAlso } from '@sonde/access'
import { InvalidInput, removeMember, ROLES, setMemberRole } from '@sonde/commands'
import { listMembers } from '@sonde/queries'
import { type Api, type ApiContext, type ApiOptions, orgGrant, pathParam } from '../api-context.ts'
import { jsonBody } from '../json-body.ts'
import { setPage } from '../list-page.ts'
import { memberJson } from '../serializers/member.ts'

const LIST = '/organizations/:org/members'
const ONE = '/organizations/:org/members/:member'

export function memberRoutes(api: Api, { queries, commands, publicUrl }: ApiOptions): void {
  /** By id, or `me` for the one who asks. */
  const find = async (c: ApiContext) => {
    const viewer = c.get('viewer')
    const grant = await orgGrant(c, 'member:read')
    const asked = pathParam(c, 'member')
    const userId = asked === 'me' && viewer.kind !== 'operator' ? viewer.userId : asked
    const member = (await listMembers(queries, grant)).find((row) => row.userId === userId)
    return { grant, member }
  }

  api.get(LIST, async (c) => {
    const grant = await orgGrant(c, 'member:read')
    const rows = setPage(c, publicUrl, await listMembers(queries, grant))
    return c.json(rows.map((row) => memberJson(row)))
  })

  api.get(ONE, async (c) => {
    const { member } = await find(c)
    return member ? c.json(memberJson(member)) : c.notFound()
  })

  api.put(ONE, async (c) => {
    const { grant, member } = await find(c)
    if (!member) return c.notFound()
    const mayWrite = requireAlso(grant, 'member:write')
    const body = await jsonBody(c)
    const wanted = body.text('orgRole') ?? body.text('role')
    const role = ROLES.find((known) => known === wanted)
    if (!role) throw new InvalidInput('change a role', { orgRole: [`is one of ${ROLES.join(', ')}`] })
    await setMemberRole(commands, mayWrite, { userId: member.userId, role })
    return c.json(memberJson({ ...member, role }))
  })

  api.delete(ONE, async (c) => {
    const { grant, member } = await find(c)
    if (!member) return c.notFound()
    await removeMember(commands, requireAlso(grant, 'member:write'), { userId: member.userId })
    return c.body(null, 204)
  })
}
