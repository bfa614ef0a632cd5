/**
 * Who belongs to an organisation (https://docs.sentry.io/api/organizations/list-an-organizations-members/). No scope of a
 * token changes members: only a person who is signed in does.
 */
import { InvalidInput, removeMember, ROLES, setMemberRole } from '@sonde/commands'
import { listMembers } from '@sonde/queries'
import { type Api, type ApiContext, type ApiOptions, pathParam } from '../api-context.ts'
import { jsonBody } from '../json-body.ts'
import { setPage } from '../list-page.ts'
import { memberJson } from '../serializers/member.ts'

const LIST = '/organizations/:org/members'
const ONE = '/organizations/:org/members/:member'

export function memberRoutes(api: Api, { access, queries, commands, publicUrl }: ApiOptions): void {
  /** By id, or `me` for the one who asks. */
  const find = async (c: ApiContext) => {
    const viewer = c.get('viewer')
    const scope = await access.openOrg(viewer, pathParam(c, 'org'), 'member:read')
    const asked = pathParam(c, 'member')
    const userId = asked === 'me' && viewer.kind !== 'operator' ? viewer.userId : asked
    const member = (await listMembers(queries, scope)).find((row) => row.userId === userId)
    return { viewer, scope, member }
  }

  api.get(LIST, async (c) => {
    const scope = await access.openOrg(c.get('viewer'), pathParam(c, 'org'), 'member:read')
    const rows = setPage(c, publicUrl, await listMembers(queries, scope))
    return c.json(rows.map((row) => memberJson(row)))
  })

  api.get(ONE, async (c) => {
    const { member } = await find(c)
    return member ? c.json(memberJson(member)) : c.notFound()
  })

  api.put(ONE, async (c) => {
    const { viewer, scope, member } = await find(c)
    if (!member) return c.notFound()
    await access.openOrg(viewer, scope.orgId, 'member:write')
    const body = await jsonBody(c)
    const wanted = body.text('orgRole') ?? body.text('role')
    const role = ROLES.find((known) => known === wanted)
    if (!role) throw new InvalidInput('change a role', { orgRole: [`is one of ${ROLES.join(', ')}`] })
    await setMemberRole(commands, viewer, { org: scope.orgId, userId: member.userId, role })
    return c.json(memberJson({ ...member, role }))
  })

  api.delete(ONE, async (c) => {
    const { viewer, scope, member } = await find(c)
    if (!member) return c.notFound()
    await removeMember(commands, viewer, { org: scope.orgId, userId: member.userId })
    return c.body(null, 204)
  })
}
