import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { mayOperate, operatorViewer, openInstallation, SCOPES, type Viewer } from '@sonde/access'
import { ROLES } from '@sonde/stores'

const person = (isOperator: boolean, ...roles: readonly (typeof ROLES)[number][]): Viewer => ({
  kind: 'user',
  userId: 'u',
  email: 'u@acme.test',
  name: 'U',
  isOperator,
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
    ['a person without an organization', person(false), false],
    ...ROLES.map((role) => [`one ${role} of the first organization`, person(false, role), false] as const),
    ['an owner of several', person(false, 'owner', 'owner'), false],
    ['an operator without an organization', person(true), true],
    ['an operator who only views', person(true, 'viewer'), true],
    ['a token with every scope', token, false],
    ['the command line', operatorViewer, true],
  ]
  for (const [name, viewer, may] of CASES) {
    it(`${name}: ${may ? 'yes' : 'no'}`, () => {
      assert.equal(mayOperate(viewer), may)
      if (may) openInstallation(viewer)
      else assert.throws(() => openInstallation(viewer), /for operators/)
    })
  }
})
