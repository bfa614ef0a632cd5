import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { operatorViewer, SCOPES, type UserViewer } from '@sonde/access'
import type { SondeError } from '@sonde/base'
import {
  changePassword,
  createPersonalToken,
  ensureProject,
  deletePersonalToken,
  enableTwoFactor,
  InvalidInput,
  revokeOtherSessions,
  revokeSession,
  scopesOfRole,
  updateProfile,
} from '@sonde/commands'
import { accountSessions, personalTokens } from '@sonde/queries'
import { type Harness, openHarness } from './harness.ts'

const PASSWORD = 'correct horse'

const field = (name: string) => (error: unknown) => {
  assert.ok(error instanceof InvalidInput)
  assert.deepEqual(Object.keys(error.fields), [name])
  return true
}

describe("one's own account", () => {
  let harness: Harness
  let ada: UserViewer
  let eve: UserViewer
  before(async () => {
    harness = await openHarness()
    await ensureProject(harness.deps, operatorViewer, { org: 'acme', slug: 'shop' })
    await ensureProject(harness.deps, operatorViewer, { org: 'rival', slug: 'shop' })
    ada = await harness.viewer('acme', 'member', 'ada@acme.test')
    eve = await harness.viewer('acme', 'owner', 'eve@acme.test')
    // Sessions live by the machine's clock.
    harness.clock.advance(Date.now() - harness.clock.nowMs())
  })
  after(() => harness.close())
  const queries = () => ({ records: harness.db, clock: harness.clock })
  const signInAgain = async (): Promise<UserViewer> => {
    const viewer = await harness.signIn('ada@acme.test', PASSWORD)
    assert.ok(viewer)
    return viewer
  }

  it('a name is changed; the audit says from where', async () => {
    await updateProfile(harness.deps, { ...ada, address: '203.0.113.9' }, { name: ' Ada Lovelace ' })
    const rows = harness.db.selectFrom('audit_entry').select('address').where('action', '=', 'account.name')
    assert.deepEqual(await rows.execute(), [{ address: '203.0.113.9' }])
    assert.equal((await signInAgain()).name, 'Ada Lovelace')
    await assert.rejects(updateProfile(harness.deps, ada, { name: '' }), field('name'))
  })

  it('sessions are listed, the one that asks first, without their secret; ended ones are gone', async () => {
    const now = await signInAgain()
    const list = await accountSessions(queries(), now)
    assert.ok(list.length >= 3)
    assert.deepEqual([list[0]?.isCurrent, list[1]?.isCurrent, list[0]?.id], [true, false, now.sessionId])
    const rows = await harness.db.selectFrom('session').select('token').execute()
    for (const { token } of rows) assert.ok(!JSON.stringify(list).includes(token))

    await revokeSession(harness.deps, now, { sessionId: ada.sessionId ?? '' })
    assert.ok(!(await accountSessions(queries(), now)).some((each) => each.id === ada.sessionId))
    const others = { sessionId: eve.sessionId ?? '' }
    await assert.rejects(
      revokeSession(harness.deps, now, others),
      (error: SondeError) => error.kind === 'not-found',
    )
    assert.ok((await revokeOtherSessions(harness.deps, now)) >= 1)
    assert.deepEqual(
      (await accountSessions(queries(), now)).map((each) => each.id),
      [now.sessionId],
    )
    assert.equal((await accountSessions(queries(), eve)).length, 1)
  })

  it('wrong passwords are said beside their fields', async () => {
    const change = (currentPassword: string, newPassword: string) =>
      changePassword(harness.deps, ada, { currentPassword, newPassword }, new Headers())
    await assert.rejects(change(PASSWORD, 'short'), field('newPassword'))
    await assert.rejects(change('wrong one', 'long enough'), field('currentPassword'))
    await assert.rejects(
      enableTwoFactor(harness.deps, ada, { currentPassword: 'wrong one' }, new Headers()),
      field('currentPassword'),
    )
    assert.equal((await harness.access.twoFactorState(ada)).isOn, false)
  })

  it('other failures of access are not hidden', async () => {
    const throwing = (error: Error) => {
      const access = { ...harness.access, changePassword: () => Promise.reject(error) }
      const given = { currentPassword: PASSWORD, newPassword: 'long enough' }
      return changePassword({ ...harness.deps, access }, ada, given, new Headers())
    }
    const broken = Object.assign(new Error('disk full'), { kind: 'unavailable', subject: '/data' })
    await assert.rejects(throwing(broken), /disk full/)
  })

  const OFFERED = `
    viewer org:read project:read event:read member:read team:read alerts:read
    member org:read org:ci project:read project:releases event:read event:write member:read team:read alerts:read alerts:write
    admin  org:read org:ci project:read project:write project:releases event:read event:write event:admin member:read member:write member:admin team:read team:write team:admin alerts:read alerts:write org:integrations audit:read
    owner  ${SCOPES.join(' ')}`
  for (const line of OFFERED.trim().split('\n')) {
    const [role, ...scopes] = line.trim().split(/\s+/)
    it(`a token of a ${role} has at most what a ${role} may`, async () => {
      const name = role as 'viewer' | 'member' | 'admin' | 'owner'
      assert.deepEqual(scopesOfRole(name), scopes)
      const viewer = await harness.viewer('acme', name, `${name}-token@acme.test`)
      const make = (wanted: readonly string[]) =>
        harness.deps.access.openOrg(viewer, 'acme', 'org:read').then((grant) =>
          createPersonalToken(harness.deps, grant, {
            name: 'mine',
            scopes: wanted,
            currentPassword: PASSWORD,
          }),
        )
      const { token } = await make(scopes)
      assert.equal((await harness.access.viewerFromToken(token))?.userId, viewer.userId)
      for (const scope of SCOPES.filter((each) => !scopes.includes(each))) {
        await assert.rejects(make([scope]), field('scopes'))
      }
    })
  }

  it('personal tokens are listed and deleted by their person only', async () => {
    const input = { org: 'acme', name: 'laptop', scopes: ['event:read'], currentPassword: PASSWORD }
    const made = await createPersonalToken(
      harness.deps,
      await harness.deps.access.openOrg(ada, input.org, 'org:read'),
      input,
    )
    const [row, ...more] = await personalTokens(queries(), ada)
    assert.deepEqual(more, [])
    assert.deepEqual(
      { ...row, createdMs: 0 },
      {
        id: made.id,
        name: 'laptop',
        orgSlug: 'acme',
        scopes: ['event:read'],
        createdMs: 0,
        lastUsedMs: undefined,
        lastUsedAddress: undefined,
        expiresMs: harness.clock.nowMs() + 90 * 86_400_000,
      },
    )
    const theirs = deletePersonalToken(harness.deps, eve, { tokenId: made.id })
    await assert.rejects(theirs, (error: SondeError) => error.kind === 'not-found')
    await assert.rejects(
      harness.deps.access
        .openOrg(ada, 'rival', 'org:read')
        .then((grant) => createPersonalToken(harness.deps, grant, { ...input })),
      (error: SondeError) => error.kind === 'not-found',
    )
    await deletePersonalToken(harness.deps, ada, { tokenId: made.id })
    assert.equal(await harness.access.viewerFromToken(made.token), undefined)
    assert.deepEqual(await personalTokens(queries(), ada), [])
  })
})
