import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { mayOperate, operatorViewer, requireOperator, SCOPES, type Viewer } from '@sonde/access'
import { ROLES } from '@sonde/stores'

const person = (...roles: readonly (typeof ROLES)[number][]): Viewer => ({
  kind: 'user',
  userId: 'u',
  email: 'u@acme.test',
  name: 'U',
  memberships: roles.map((role, index) => ({ orgId: index + 1, orgSlug: `o${index}`, orgName: 'O', role })),
})
const token: Viewer = {
  kind: 'token',
  tokenId: 1,
  tokenName: 't',
  orgId: undefined,
  userId: 'u',
  scopes: SCOPES,
}

describe('mayOperate', () => {
  const CASES: readonly (readonly [string, Viewer | undefined, boolean])[] = [
    ['nobody', undefined, false],
    ['a person without an organisation', person(), false],
    ...ROLES.map((role) => [`one ${role}`, person(role), role === 'owner'] as const),
    ['an owner of the first of several', person('owner', 'viewer'), true],
    ['an owner of a later one', person('viewer', 'owner'), false],
    ['a token with every scope', token, false],
    ['the command line', operatorViewer, true],
  ]
  for (const [name, viewer, may] of CASES) {
    it(`${name}: ${may ? 'yes' : 'no'}`, () => {
      assert.equal(mayOperate(viewer), may)
      if (may) requireOperator(viewer)
      else assert.throws(() => requireOperator(viewer), /for owners/)
    })
  }
})
