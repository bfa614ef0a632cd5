import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { operatorViewer, SecondFactorNeeded, type UserViewer } from '@sonde/access'
import { createOrganization, createPersonalToken, requireSecondFactor } from '@sonde/commands'
import type { Role } from '@sonde/stores'
import { totp } from '../../../tests/harness/totp.ts'
import { type Harness, openHarness } from './harness.ts'

const PASSWORD = 'correct horse'
const isNeeded = (error: unknown) => error instanceof SecondFactorNeeded && error.orgSlug === 'acme'

describe('a second factor that an organization requires', () => {
  let harness: Harness
  before(async () => {
    harness = await openHarness()
    for (const slug of ['acme', 'other']) await createOrganization(harness.deps, operatorViewer, { slug })
  })
  after(() => harness.close())

  const person = async (email: string, role: Role) => {
    await harness.viewer('acme', role, email)
    await harness.viewer('other', role, email)
    return harness.cookies(email, PASSWORD)
  }
  const viewerOf = async (headers: Headers): Promise<UserViewer> => {
    const viewer = await harness.access.viewerFromCookies(headers)
    assert.ok(viewer)
    return viewer
  }
  const open = async (headers: Headers, org: string) =>
    harness.access.openOrg(await viewerOf(headers), org, 'event:read')
  const asRequired = async (isRequired: boolean): Promise<void> =>
    requireSecondFactor(
      harness.deps,
      await harness.access.openOrg(operatorViewer, 'acme', 'org:write'),
      isRequired,
    )
  const withFactor = async (headers: Headers): Promise<Headers> => {
    const viewer = await viewerOf(headers)
    const made = await harness.access.enableTwoFactor(viewer, PASSWORD, headers)
    const { setCookies } = await harness.access.confirmTwoFactor(viewer, totp(made.otpauthUri), headers)
    return new Headers({ cookie: setCookies.map((text) => text.split(';')[0]).join('; ') })
  }

  test('shuts it for who has none, at the next request, and nothing else; a token goes on', async () => {
    const headers = await person('mia@acme.test', 'member')
    const grant = await harness.access.openOrg(await viewerOf(headers), 'acme', 'org:read')
    const { token } = await createPersonalToken(harness.deps, grant, {
      name: 'mine',
      scopes: ['event:read'],
      currentPassword: PASSWORD,
    })
    await open(headers, 'acme')
    await asRequired(true)
    await assert.rejects(open(headers, 'acme'), isNeeded)
    await open(headers, 'other')
    const viewer = await viewerOf(headers)
    assert.deepEqual(
      (await harness.access.openOrgs(viewer, 'event:read')).map(({ orgSlug }) => orgSlug),
      ['other'],
    )
    assert.deepEqual(
      [viewer.memberships, viewer.closedMemberships ?? []].map((list) => list.map(({ orgSlug }) => orgSlug)),
      [['other'], ['acme']],
    )
    // Whoever is no member learns nothing of it.
    const stranger = await harness.viewer('other', 'member', 'eve@other.test')
    await assert.rejects(
      harness.access.openOrg(stranger, 'acme', 'event:read'),
      /no organization called "acme"/,
    )
    const byToken = await harness.access.viewerFromToken(token)
    assert.ok(byToken)
    await harness.access.openOrg(byToken, 'acme', 'event:read')
    const secure = await withFactor(headers)
    await open(secure, 'acme')
    const now = await viewerOf(secure)
    await harness.access.disableTwoFactor(now, PASSWORD, secure)
    await asRequired(false)
  })

  test('is switched on by who has one, and by owners alone', async () => {
    const headers = await person('olga@acme.test', 'owner')
    const grantOf = async (own: Headers) => harness.access.openOrg(await viewerOf(own), 'acme', 'org:write')
    await assert.rejects(
      requireSecondFactor(harness.deps, await grantOf(headers), true),
      /your own account has no second factor/,
    )
    const secure = await withFactor(headers)
    for (const _ of ['on', 'still on']) await requireSecondFactor(harness.deps, await grantOf(secure), true)
    await requireSecondFactor(harness.deps, await grantOf(secure), false)
    const entries = (await harness.audit()).filter(
      (line) => line.startsWith('user:') && line.includes('second-factor-o'),
    )
    assert.deepEqual(
      entries.map((line) => line.split(' ').slice(1).join(' ')),
      ['organization.second-factor-on acme', 'organization.second-factor-off acme'],
    )
    const admin = await person('adam@acme.test', 'admin')
    await assert.rejects(grantOf(admin), /needs the permission org:write/)
  })
})
