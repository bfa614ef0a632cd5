/** What a grant stands for: in types, and in what its permissions include. */
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import {
  type Grant,
  type Grants,
  mayAlso,
  type Permission,
  PERMISSIONS,
  PERMISSIONS_WITHIN,
  requireAlso,
  ROLE_PERMISSIONS,
  SCOPE_PERMISSIONS,
  type UserViewer,
} from '@sonde/access'
import { grantOf } from '@sonde/access/grant'

const readEvents = (grant: Grant<'event:read', 'org' | 'project'>): number => grant.orgId
const writeEvents = (grant: Grant<'event:write', 'project'>): number => grant.projectId
const changeProject = (grant: Grant<'project:write', 'project'>): number => grant.projectId
const reprocessing = (grant: Grant<'release:write' | 'project:write', 'project'>): number => grant.projectId
const operate = (grant: Grant<'operate', 'operator'>): string => grant.viewer.kind

/** Never called: the compiler reads it. */
export async function compiles({ openOrg, openProject }: Grants, either: Permission): Promise<void> {
  const reader = await openProject('acme', 'shop', 'project:read')
  // @ts-expect-error a grant for the project is none for its events
  readEvents(reader)
  // @ts-expect-error who may read may not write
  writeEvents(await openProject('acme', 'shop', 'event:read'))
  // @ts-expect-error a grant for the organization names no project
  writeEvents(await openOrg('acme', 'event:write'))
  // @ts-expect-error neither of what is needed
  reprocessing(reader)
  // @ts-expect-error an organization is not the installation
  operate(await openOrg('acme', 'org:write'))
  // @ts-expect-error which permission it was is not known
  readEvents(await openProject('acme', 'shop', either))
  // @ts-expect-error ids prove nothing
  readEvents({ orgId: 1, orgSlug: 'acme', orgName: 'ACME' })

  readEvents(await openOrg('acme', 'event:read'))
  // Who may write may read.
  readEvents(await openProject('acme', 'shop', 'event:write'))
  reprocessing(await openProject('acme', 'shop', 'release:write'))
  changeProject(requireAlso(reader, 'project:write'))
}

describe('the permissions within a permission', () => {
  const holders: readonly (readonly [string, readonly Permission[]])[] = [
    ...Object.entries(ROLE_PERMISSIONS),
    ...Object.entries(SCOPE_PERMISSIONS),
  ]
  for (const permission of PERMISSIONS) {
    it(`everybody with ${permission} has ${PERMISSIONS_WITHIN[permission].join(', ') || 'no other for sure'}`, () => {
      for (const [who, own] of holders.filter(([, all]) => all.includes(permission)))
        for (const within of PERMISSIONS_WITHIN[permission])
          assert.ok(own.includes(within), `${who}: ${within}`)
    })
  }
})

describe('a further permission', () => {
  const viewer: UserViewer = {
    kind: 'user',
    userId: 'u',
    email: 'u@acme.test',
    name: 'U',
    isOperator: false,
    memberships: [{ orgId: 1, orgSlug: 'acme', orgName: 'ACME', role: 'member' }],
  }
  const grant = grantOf<'event:read', 'org'>(viewer, { orgId: 1, orgSlug: 'acme', orgName: 'ACME' })

  it('is answered from the same viewer', () => {
    assert.equal(mayAlso(grant, 'event:write'), true)
    assert.equal(mayAlso(grant, 'event:delete'), false)
    assert.equal(mayAlso({ ...grant, orgId: 2 }, 'event:read'), false)
  })

  it('is granted when one of those named is there, and refused in words otherwise', () => {
    assert.equal(requireAlso(grant, 'org:write', 'release:write'), grant)
    assert.throws(() => requireAlso(grant, 'org:write', 'member:write'), {
      kind: 'forbidden',
      message: 'this needs the permission org:write or member:write',
    })
  })
})
