import assert from 'node:assert/strict'
import { afterEach, beforeEach, describe, it } from 'node:test'
import { openInstallation, operatorViewer, type UserViewer } from '@sonde/access'
import type { SondeError } from '@sonde/base'
import {
  allowEndlessTokens,
  changePassword,
  createPersonalToken,
  ensureProject,
  createToken,
  deleteToken,
  InvalidInput,
  type NewTokenFields,
  renameToken,
  resetPassword,
  resetTwoFactor,
} from '@sonde/commands'
import { type Harness, openHarness } from './harness.ts'

const PASSWORD = 'correct horse'
const DAY_MS = 86_400_000
const kind = (expected: string) => (error: SondeError) => error.kind === expected
const field = (name: string) => (error: unknown) => {
  assert.ok(error instanceof InvalidInput, String(error))
  assert.deepEqual(Object.keys(error.fields), [name])
  return true
}

describe('tokens', () => {
  let harness: Harness
  let owner: UserViewer
  let admin: UserViewer
  const input = { org: 'acme', name: 'laptop', scopes: ['event:read'], currentPassword: PASSWORD }
  beforeEach(async () => {
    harness = await openHarness()
    for (const org of ['acme', 'rival'])
      await ensureProject(harness.deps, operatorViewer, { org, slug: 'shop' })
    owner = await harness.viewer('acme', 'owner')
    admin = await harness.viewer('acme', 'admin')
  })
  afterEach(() => harness.close())
  const works = async (token: string): Promise<boolean> =>
    (await harness.access.viewerFromToken(token)) !== undefined

  const personal = async (viewer: UserViewer, fields: NewTokenFields) =>
    createPersonalToken(harness.deps, await harness.access.openOrg(viewer, 'acme', 'org:read'), fields)
  const shared = async (viewer: UserViewer, fields: NewTokenFields) =>
    createToken(harness.deps, await harness.access.openOrg(viewer, 'acme', 'token:write'), fields)
  for (const [what, create] of [
    ['personal', personal],
    ['shared', shared],
  ] as const) {
    it(`a ${what} token needs the current password, which cannot be guessed`, async () => {
      const make = (currentPassword: string) => create(admin, { ...input, currentPassword })
      await assert.rejects(create(admin, { ...input, currentPassword: undefined }), field('currentPassword'))
      for (let tries = 1; tries < 10; tries++)
        await assert.rejects(make(`guess ${tries}`), field('currentPassword'))
      await assert.rejects(make(PASSWORD), (error) => {
        assert.match((error as InvalidInput).fields['currentPassword']?.[0] ?? '', /too many tries/)
        return true
      })
    })

    it(`a ${what} token ends after 90 days unless another time is chosen`, async () => {
      const made = await create(admin, input)
      const short = await create(admin, { ...input, expiresInDays: 30 })
      assert.equal(made.expiresMs, harness.clock.nowMs() + 90 * DAY_MS)
      harness.clock.advance(30 * DAY_MS - 1)
      assert.deepEqual([await works(short.token), await works(made.token)], [true, true])
      harness.clock.advance(1)
      assert.deepEqual([await works(short.token), await works(made.token)], [false, true])
      assert.match(await harness.access.refusalOfToken(short.token), /expired on 2026-03-02/)
      assert.equal(await harness.access.refusalOfToken(made.token), 'Invalid token')
      assert.equal(await harness.access.refusalOfToken(`sonde_${'y'.repeat(43)}`), 'Invalid token')
      harness.clock.advance(60 * DAY_MS)
      assert.equal(await works(made.token), false)
    })

    it(`a ${what} token lives for ever where an owner allows it, and one for builds anywhere`, async () => {
      const endless = (scopes: readonly string[], expiresInDays: number | null = null) =>
        create(admin, { ...input, scopes, expiresInDays })
      await assert.rejects(endless(['event:read']), field('expiresInDays'))
      await assert.rejects(endless(['event:read'], 366), field('expiresInDays'))
      await assert.rejects(endless(['event:read', 'org:ci']), field('expiresInDays'))
      assert.equal((await endless(['org:ci'])).expiresMs, undefined)
      const allow = (viewer: UserViewer, isAllowed: boolean) =>
        harness.deps.access
          .openOrg(viewer, 'acme', 'org:write')
          .then((grant) => allowEndlessTokens(harness.deps, grant, isAllowed))
      await assert.rejects(allow(admin, true), kind('forbidden'))
      await allow(owner, true)
      const { token } = await endless(['event:read'])
      await allow(owner, false)
      await assert.rejects(endless(['event:read']), field('expiresInDays'))
      harness.clock.advance(4000 * DAY_MS)
      assert.equal(await works(token), true, 'what was made stays')
    })
  }

  it('nobody gives a program more than they may themselves', async () => {
    const strong = { ...input, scopes: ['project:admin'] }
    await assert.rejects(shared(admin, strong), field('scopes'))
    const { token } = await shared(owner, strong)
    assert.deepEqual((await harness.access.viewerFromToken(token))?.scopes, ['project:admin'])
  })

  it('the command line makes tokens with and without an end, and deletes any', async () => {
    const all = await createToken(harness.deps, openInstallation(operatorViewer), {
      name: 'all',
      scopes: ['org:read'],
    })
    const short = await createToken(
      harness.deps,
      await harness.access.openOrg(operatorViewer, 'acme', 'token:write'),
      { ...input, expiresInDays: 7 },
    )
    assert.deepEqual([all.expiresMs, short.expiresMs], [undefined, harness.clock.nowMs() + 7 * DAY_MS])
    await assert.rejects(
      harness.deps.access
        .openOrg(owner, 'acme', 'token:write')
        .then((grant) => deleteToken(harness.deps, grant, { tokenId: all.id })),
      kind('not-found'),
    )
    assert.throws(() => openInstallation(owner), kind('forbidden'))
    const onScreens = openInstallation({ ...owner, isOperator: true })
    await assert.rejects(deleteToken(harness.deps, onScreens, { tokenId: all.id }), kind('forbidden'))
    const every = { name: 'all', scopes: ['org:read'] }
    await assert.rejects(createToken(harness.deps, onScreens, every), kind('forbidden'))
    assert.deepEqual(await deleteToken(harness.deps, openInstallation(operatorViewer), { tokenId: all.id }), {
      name: 'all',
    })
    assert.equal(await works(all.token), false)
    await deleteToken(harness.deps, openInstallation(operatorViewer), { tokenId: short.id })
    assert.equal(await works(short.token), false)
  })

  it("admins delete members' own tokens, but not an owner's", async () => {
    const member = await harness.viewer('acme', 'member')
    const theirs = await personal(member, input)
    const owners = await personal(owner, input)
    const remove = (viewer: UserViewer, tokenId: number) =>
      harness.deps.access
        .openOrg(viewer, 'acme', 'token:write')
        .then((grant) => deleteToken(harness.deps, grant, { tokenId }))
    await assert.rejects(remove(member, theirs.id), kind('forbidden'))
    await remove(admin, theirs.id)
    await assert.rejects(remove(admin, owners.id), kind('forbidden'))
    await remove(owner, owners.id)
    assert.deepEqual([await works(theirs.token), await works(owners.token)], [false, false])
    const entry = `user:${admin.userId} token.delete laptop`
    assert.ok((await harness.audit()).includes(entry))
  })

  it('a token is called otherwise, and nothing else about it changes', async () => {
    const made = await shared(admin, input)
    await renameToken(harness.deps, await harness.deps.access.openOrg(admin, 'acme', 'token:write'), {
      tokenId: made.id,
      name: 'Nightly',
    })
    assert.equal((await harness.access.viewerFromToken(made.token))?.tokenName, 'Nightly')
    await assert.rejects(
      harness.deps.access
        .openOrg(admin, 'acme', 'token:write')
        .then((grant) => renameToken(harness.deps, grant, { tokenId: made.id, name: ' ' })),
      field('name'),
    )
  })

  it('a password that the operator sets ends the tokens that were made with the old one', async () => {
    const own = await personal(admin, input)
    const ofOrg = await shared(admin, input)
    const reset = (keepTokens: boolean) =>
      resetPassword(harness.deps, operatorViewer, { email: admin.email, password: PASSWORD, keepTokens })
    const kept = await reset(true)
    assert.deepEqual([kept.endedTokens, kept.keptTokens, await works(own.token)], [0, 1, true])
    const ended = await reset(false)
    assert.deepEqual([ended.endedTokens, ended.keptTokens, await works(own.token)], [1, 0, false])
    assert.equal(await works(ofOrg.token), true, 'it is the organization’s')
  })

  it('a second factor that is reset ends them when that is asked for', async () => {
    const { token } = await personal(admin, input)
    const reset = (endTokens: boolean) =>
      resetTwoFactor(harness.deps, operatorViewer, { email: admin.email, endTokens })
    assert.deepEqual(await reset(false), { wasOn: false, endedTokens: 0, keptTokens: 1 })
    assert.equal(await works(token), true)
    assert.deepEqual(await reset(true), { wasOn: false, endedTokens: 1, keptTokens: 0 })
    assert.equal(await works(token), false)
  })

  it('who changes the password decides about their tokens', async () => {
    const { token } = await personal(admin, input)
    const change = async (currentPassword: string, newPassword: string, endTokens: boolean) => {
      const headers = await harness.cookies(admin.email, currentPassword)
      await changePassword(harness.deps, admin, { currentPassword, newPassword, endTokens }, headers)
    }
    await change(PASSWORD, 'battery staple', false)
    assert.equal(await works(token), true)
    await change('battery staple', PASSWORD, true)
    assert.equal(await works(token), false)
  })
})
