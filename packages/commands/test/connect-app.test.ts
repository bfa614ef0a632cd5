import assert from 'node:assert/strict'
import { createHash, randomBytes } from 'node:crypto'
import { after, before, describe, it } from 'node:test'
import { type AuthorizeRequest, operatorViewer, type UserViewer } from '@sonde/access'
import type { SondeError } from '@sonde/base'
import {
  changePassword,
  connectApp,
  disconnectApp,
  ensureProject,
  InvalidInput,
  proofToConnect,
} from '@sonde/commands'
import { connectedApps, listTokens, personalTokens } from '@sonde/queries'
import { sql } from 'kysely'
import { sweepEnded } from '../src/deletion/sweep-ended.ts'
import { type Harness, openHarness } from './harness.ts'

const PASSWORD = 'correct horse'
const REDIRECT_URI = 'https://claude.ai/api/mcp/auth_callback'
const DAY_MS = 86_400_000

const field = (name: string) => (error: unknown) => {
  assert.ok(error instanceof InvalidInput, String(error))
  assert.deepEqual(Object.keys(error.fields), [name])
  return true
}

describe('connected applications', () => {
  let harness: Harness
  let member: UserViewer
  before(async () => {
    harness = await openHarness()
    for (const org of ['acme', 'rival'])
      await ensureProject(harness.deps, operatorViewer, { org, slug: 'shop' })
    member = await harness.viewer('acme', 'member')
  })
  after(() => harness.close())

  const verifier = randomBytes(32).toString('base64url')
  const request = (scope = 'event:read event:write'): AuthorizeRequest => {
    const { oauth } = harness.access
    const made = oauth.register({ client_name: 'Claude', redirect_uris: [REDIRECT_URI] })
    const read = oauth.readRequest(
      new URLSearchParams({
        client_id: String((made as Readonly<Record<string, unknown>>)['client_id']),
        redirect_uri: REDIRECT_URI,
        response_type: 'code',
        code_challenge: createHash('sha256').update(verifier).digest('base64url'),
        code_challenge_method: 'S256',
        scope,
      }),
    )
    assert.ok(read.ok)
    return read.request
  }
  const connect = async (
    viewer: UserViewer,
    fields: { scopes?: string[]; currentPassword?: string; request?: AuthorizeRequest } = {},
  ) => {
    const asked = fields.request ?? request()
    const grant = await harness.access.openOrg(viewer, 'acme', 'org:read')
    return connectApp(harness.deps, grant, { scopes: ['event:read'], ...fields, request: asked })
  }
  const redeem = async (asked: AuthorizeRequest, code: string): Promise<string> => {
    const form = {
      grant_type: 'authorization_code',
      client_id: asked.client.clientId,
      code,
      code_verifier: verifier,
    }
    const answer = await harness.access.oauth.exchange(new URLSearchParams(form), undefined)
    return 'access_token' in answer ? answer.access_token : ''
  }
  const works = async (token: string): Promise<boolean> =>
    (await harness.access.viewerFromToken(token)) !== undefined

  /** The sessions of these tests are made at the time of this machine. */
  const signedIn = (viewer: UserViewer, atMs: number) =>
    sql`UPDATE "session" SET "createdAt" = ${new Date(atMs).toISOString()} WHERE "userId" = ${viewer.userId}`.execute(
      harness.db,
    )

  it('are nowhere to be seen before they came for their tokens, and are no personal tokens', async () => {
    const asked = request()
    const { code } = await connect(member, { request: asked })
    assert.deepEqual(await connectedApps(harness.deps, member), [])
    const token = await redeem(asked, code)
    const [app] = await connectedApps(harness.deps, member)
    assert.deepEqual(
      [app?.name, app?.orgSlug, app?.scopes, app?.redirectUri, app?.isForMcp],
      ['Claude', 'acme', ['event:read'], REDIRECT_URI, false],
    )
    assert.deepEqual(await personalTokens(harness.deps, member), [])
    const grant = await harness.access.openOrg(operatorViewer, 'acme', 'token:write')
    assert.deepEqual(
      (await listTokens(harness.deps, grant)).map(({ name, isApp, isPersonal }) => [name, isApp, isPersonal]),
      [['Claude', true, true]],
    )
    await disconnectApp(harness.deps, member, { tokenId: app?.id ?? 0 })
    assert.equal(await works(token), false)
    const audit = await harness.audit()
    assert.ok(audit.includes(`user:${member.userId} app.connect Claude`))
    assert.ok(audit.includes(`user:${member.userId} app.disconnect Claude`))
  })

  it('get what was ticked of what they asked for, within the role', async () => {
    await assert.rejects(connect(member, { scopes: ['event:admin'] }), field('scopes'))
    await assert.rejects(connect(member, { scopes: [] }), field('scopes'))
    const asked = request('project:write')
    await assert.rejects(connect(member, { request: asked, scopes: ['project:write'] }), field('scopes'))
  })

  it('need the password when the sign-in is not fresh, and no second person', async () => {
    await signedIn(member, harness.clock.nowMs() - 16 * 60_000)
    assert.equal(await proofToConnect(harness.deps, member), 'password')
    await assert.rejects(connect(member), field('currentPassword'))
    await assert.rejects(connect(member, { currentPassword: 'guess' }), field('currentPassword'))
    await connect(member, { currentPassword: PASSWORD })
    const byProvider = { ...member, ssoOrgId: 1 }
    assert.equal(await proofToConnect(harness.deps, byProvider), 'sign-in')
    await assert.rejects(connect(byProvider, { currentPassword: PASSWORD }), field('currentPassword'))
  })

  it('of somebody else are not there', async () => {
    const asked = request()
    const { code } = await connect(member, { request: asked, currentPassword: PASSWORD })
    await redeem(asked, code)
    const [app] = await connectedApps(harness.deps, member)
    const other = await harness.viewer('acme', 'owner')
    await assert.rejects(
      disconnectApp(harness.deps, other, { tokenId: app?.id ?? 0 }),
      (error: SondeError) => error.kind === 'not-found',
    )
  })

  it('end with a new password when that is wished, as tokens do', async () => {
    const asked = request()
    const { code } = await connect(member, { request: asked, currentPassword: PASSWORD })
    const token = await redeem(asked, code)
    assert.equal(await works(token), true)
    const headers = await harness.cookies(member.email, PASSWORD)
    const passwords = { currentPassword: PASSWORD, newPassword: 'another battery' }
    await changePassword(harness.deps, member, { ...passwords, endTokens: true }, headers)
    assert.equal(await works(token), false)
    assert.deepEqual(await connectedApps(harness.deps, member), [])
  })

  it('are swept when nobody came for them, or nobody used them for a month', async () => {
    const person = await harness.viewer('acme', 'admin')
    const waiting = request()
    await signedIn(person, harness.clock.nowMs())
    await connect(person, { request: waiting })
    const used = request()
    const { code } = await connect(person, { request: used })
    await redeem(used, code)
    const left = async () =>
      (await harness.db.selectFrom('api_token').select('id').where('user_id', '=', person.userId).execute())
        .length
    const sweep = () =>
      sweepEnded({ records: harness.db, clock: harness.clock }, new AbortController().signal)
    await sweep()
    assert.equal(await left(), 2)
    harness.clock.advance(2 * 60_000)
    await sweep()
    assert.equal(await left(), 1)
    harness.clock.advance(30 * DAY_MS)
    await sweep()
    assert.equal(await left(), 0)
    assert.deepEqual(await harness.db.selectFrom('oauth_secret').selectAll().execute(), [])
  })
})
