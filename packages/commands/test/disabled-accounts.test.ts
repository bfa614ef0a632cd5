import assert from 'node:assert/strict'
import { afterEach, beforeEach, describe, it } from 'node:test'
import { operatorViewer, type UserViewer } from '@sonde/access'
import type { SondeError } from '@sonde/base'
import {
  createPersonalToken,
  ensureProject,
  createToken,
  deleteUser,
  disableUser,
  enableUser,
  ensureOwner,
  setOperator,
} from '@sonde/commands'
import { type Harness, openHarness } from './harness.ts'

const PASSWORD = 'correct horse'
const kind = (expected: string) => (error: SondeError) => error.kind === expected
const TOKEN = { org: 'acme', name: 'x', scopes: ['event:read'], currentPassword: PASSWORD }

describe('the end of an account', () => {
  let harness: Harness
  let ada: UserViewer
  beforeEach(async () => {
    harness = await openHarness()
    await ensureOwner(harness.deps, { email: 'root@sonde.test', password: PASSWORD })
    await ensureProject(harness.deps, operatorViewer, { org: 'acme', slug: 'shop' })
    ada = await harness.viewer('acme', 'admin', 'ada@acme.test')
  })
  afterEach(() => harness.close())
  const disable = (email: string) => disableUser(harness.deps, operatorViewer, { email })

  it('who is disabled is out at once and cannot come back, until enabled again', async () => {
    const headers = await harness.cookies(ada.email, PASSWORD)
    const own = await createPersonalToken(
      harness.deps,
      await harness.deps.access.openOrg(ada, TOKEN.org, 'org:read'),
      TOKEN,
    )
    const shared = await createToken(
      harness.deps,
      await harness.deps.access.openOrg(ada, TOKEN.org, 'token:write'),
      TOKEN,
    )
    assert.deepEqual(await disable('Ada@acme.test'), { changed: true, orgTokens: 1 })
    assert.equal(await harness.access.viewerFromCookies(headers), undefined)
    assert.equal(await harness.access.viewerFromToken(own.token), undefined)
    assert.ok(await harness.access.viewerFromToken(shared.token), 'it is the organization’s')
    const refused = await harness.access.signIn({
      email: ada.email,
      password: PASSWORD,
      headers: new Headers(),
    })
    assert.ok(!refused.ok)
    assert.match(refused.message, /disabled/)
    const wrong = await harness.access.signIn({
      email: ada.email,
      password: 'a guess',
      headers: new Headers(),
    })
    assert.ok(!wrong.ok)
    assert.doesNotMatch(wrong.message, /disabled/, 'a guesser does not learn it')
    assert.deepEqual(
      await harness.db.selectFrom('session').select('id').where('userId', '=', ada.userId).execute(),
      [],
    )
    assert.deepEqual(await disable(ada.email), { changed: false, orgTokens: 1 })

    assert.deepEqual(await enableUser(harness.deps, operatorViewer, { email: ada.email }), { changed: true })
    assert.equal((await harness.signIn(ada.email, PASSWORD))?.userId, ada.userId)
    assert.ok(await harness.access.viewerFromToken(own.token))
    assert.deepEqual(
      (await harness.audit()).filter((entry) => /disable|enable/.test(entry)),
      [`operator:cli user.disable ${ada.userId}`, `operator:cli user.enable ${ada.userId}`],
    )
  })

  it('a session that outlived it is refused too', async () => {
    const headers = await harness.cookies(ada.email, PASSWORD)
    await harness.db.updateTable('user').set({ disabledMs: 1 }).where('id', '=', ada.userId).execute()
    assert.equal(await harness.access.viewerFromCookies(headers), undefined)
  })

  it('an account is deleted with all that was made by it', async () => {
    const headers = await harness.cookies(ada.email, PASSWORD)
    const own = await createPersonalToken(
      harness.deps,
      await harness.deps.access.openOrg(ada, TOKEN.org, 'org:read'),
      TOKEN,
    )
    const shared = await createToken(
      harness.deps,
      await harness.deps.access.openOrg(ada, TOKEN.org, 'token:write'),
      TOKEN,
    )
    assert.deepEqual(await deleteUser(harness.deps, operatorViewer, { email: ada.email }), { orgTokens: 0 })
    assert.equal(await harness.access.viewerFromCookies(headers), undefined)
    assert.equal(await harness.access.viewerFromToken(own.token), undefined)
    assert.equal(await harness.access.viewerFromToken(shared.token), undefined)
    assert.equal(await harness.signIn(ada.email, PASSWORD), undefined)
    for (const table of ['member', 'api_token'] as const) {
      const left = await harness.db.selectFrom(table).selectAll().where('user_id', '=', ada.userId).execute()
      assert.deepEqual(left, [], table)
    }
    assert.deepEqual((await harness.audit()).slice(-2), [
      `operator:cli member.remove ${ada.userId}`,
      `operator:cli user.delete ${ada.userId}`,
    ])
  })

  it('tokens for the organization stay when that is asked for', async () => {
    const shared = await createToken(
      harness.deps,
      await harness.deps.access.openOrg(ada, TOKEN.org, 'token:write'),
      TOKEN,
    )
    const given = { email: ada.email, keepTokens: true }
    assert.deepEqual(await deleteUser(harness.deps, operatorViewer, given), { orgTokens: 1 })
    assert.ok(await harness.access.viewerFromToken(shared.token))
  })

  it('neither the last operator nor the last owner of an organization goes', async () => {
    await assert.rejects(disable('root@sonde.test'), kind('conflict'))
    await assert.rejects(
      deleteUser(harness.deps, operatorViewer, { email: 'root@sonde.test' }),
      kind('conflict'),
    )
    await setOperator(harness.deps, operatorViewer, { email: ada.email, isOperator: true })
    await assert.rejects(
      deleteUser(harness.deps, operatorViewer, { email: 'root@sonde.test' }),
      (error: SondeError) => error.kind === 'conflict' && /"acme", "default"/.test(error.message),
    )
    assert.deepEqual(await disable('root@sonde.test'), { changed: true, orgTokens: 0 })
    await assert.rejects(disable(ada.email), kind('conflict'))
    await assert.rejects(disable('nobody@acme.test'), kind('not-found'))
  })
})
