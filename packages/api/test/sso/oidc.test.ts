import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { createSeal, reencryptChannels, ssoAddresses } from '@sonde/access'
import { addSsoDomain, addSsoGroup, saveSsoConnection, switchSso, verifySsoDomain } from '@sonde/commands'
import { writeTransaction } from '@sonde/stores'
import fc from 'fast-check'
import { formOf, type PlainBrowser, type Visit } from '../../../../tests/harness/sign-in/browser.ts'
import { type OidcServer, startOidcServer } from '../../../../tests/harness/sign-in/oidc-server.ts'
import { openSsoHarness, SECRET, type SsoHarness, URL_HERE } from './sso-harness.ts'

const HERE = ssoAddresses(URL_HERE, 'acme')

describe('OpenID Connect with a real provider', () => {
  let sonde: SsoHarness
  let provider: OidcServer
  before(async () => {
    sonde = await openSsoHarness()
    provider = await startOidcServer([HERE.callback])
  })
  after(async () => {
    await provider.close()
    await sonde.close()
  })

  const settings = () => ({ issuer: provider.issuer, clientId: provider.clientId, scopes: ['groups'] })
  const save = async (more: object = {}) =>
    saveSsoConnection(sonde.commands, await sonde.owner(), {
      kind: 'oidc',
      name: 'Acme login',
      settings: settings(),
      clientSecret: provider.clientSecret,
      ...more,
    })
  /** At the provider's own page. */
  const signInThere = async (browser: PlainBrowser, start: string, name: string): Promise<Visit> => {
    const page = await browser.open(start)
    const { action, fields } = formOf(page)
    return browser.post(action, { ...fields, login: name, password: 'any' }, page.url.origin)
  }
  const signIn = async (name: string, browser = sonde.browser()) => {
    const page = await signInThere(browser, HERE.start, name)
    return { page, viewer: await sonde.viewerBy(browser.cookie(URL_HERE)) }
  }
  const asOwner = async (): Promise<{ browser: PlainBrowser; proof: string }> => {
    const browser = sonde.browser()
    const cookie = await sonde.withPassword('owner@acme.test')
    browser.give(URL_HERE, cookie)
    const viewer = await sonde.viewerBy(cookie)
    assert.ok(viewer)
    return { browser, proof: sonde.access.sso.proofOf(viewer, 'acme') }
  }
  const reasonOf = ({ url }: Visit) => url.searchParams.get('failed')

  test('it cannot be switched on before a whole sign-in worked', async () => {
    provider.people.set('olga', { email: 'owner@acme.test', email_verified: true, name: 'Olga' })
    assert.deepEqual(await save(), { isNew: true, needsTest: true })
    await assert.rejects(
      switchSso(sonde.commands, await sonde.owner(), { isOn: true }),
      /test the connection first/,
    )
    assert.equal(reasonOf(await sonde.browser().open(HERE.start)), 'off')

    const { browser, proof } = await asOwner()
    const tested = await signInThere(browser, `${HERE.start}?intent=test&proof=${proof}`, 'olga')
    assert.equal(tested.url.pathname + tested.url.search, '/acme/settings/single-sign-on?saved=sso-tested')
    const row = await sonde.db.selectFrom('sso_connection').selectAll().executeTakeFirstOrThrow()
    assert.deepEqual(JSON.parse(row.test_result ?? ''), {
      email: 'owner@acme.test',
      isEmailVerified: true,
      name: 'Olga',
      groups: [],
      groupCount: 0,
      matched: [],
    })
    assert.ok(!row.secret.includes(provider.clientSecret))
    await switchSso(sonde.commands, await sonde.owner(), { isOn: true })
    // The test signed nobody in by the provider.
    assert.equal((await sonde.viewerBy(browser.cookie(URL_HERE)))?.ssoOrgId, undefined)
  })

  test('no other page begins a test or a connection in somebody’s name', async () => {
    const { browser } = await asOwner()
    for (const intent of ['test', 'connect'])
      assert.equal(
        reasonOf(await browser.open(`${HERE.start}?intent=${intent}&proof=guessed`)),
        'other-person',
      )
  })

  test('a domain counts once it is proved, and then a new person gets an account, role and teams', async () => {
    provider.people.set('ada', {
      email: 'Ada@Acme.test',
      email_verified: true,
      name: 'Ada',
      groups: ['eng', 'sre'],
    })
    const refused = await signIn('ada')
    assert.equal(reasonOf(refused.page), 'wrong-domain')
    assert.equal(refused.viewer, undefined)

    const owner = await sonde.owner()
    await addSsoDomain(sonde.commands, owner, { domain: 'acme.test' })
    assert.equal(reasonOf((await signIn('ada')).page), 'wrong-domain')
    const { token } = await sonde.db.selectFrom('sso_domain').select('token').executeTakeFirstOrThrow()
    const says = (value: string) => ({
      ...sonde.commands,
      resolveTxt: async () => [['other'], [value.slice(0, 9), value.slice(9)]],
    })
    await assert.rejects(
      verifySsoDomain(says('sonde-domain=wrong'), owner, { domain: 'acme.test' }),
      /another TXT record/,
    )
    await verifySsoDomain(says(`sonde-domain=${token}`), owner, { domain: 'acme.test' })

    const [web, ops] = [await sonde.team('web'), await sonde.team('ops')]
    await addSsoGroup(sonde.commands, owner, { group: 'eng', teamId: web })
    await addSsoGroup(sonde.commands, owner, { group: 'sre', teamId: ops, role: 'admin' })
    const { page, viewer } = await signIn('ada')
    assert.equal(page.url.pathname, '/sign-in')
    assert.equal(viewer?.email, 'ada@acme.test')
    assert.equal(viewer?.name, 'Ada')
    assert.deepEqual(
      viewer?.memberships.map(({ orgSlug, role }) => [orgSlug, role]),
      [['acme', 'admin']],
    )
    assert.deepEqual(await sonde.teamsOf('ada@acme.test'), ['ops', 'web'])
  })

  test('who leaves a group leaves its team and role at the next sign-in, and no other', async () => {
    const other = await sonde.team('guests')
    const { id } = await sonde.db
      .selectFrom('user')
      .select('id')
      .where('email', '=', 'ada@acme.test')
      .executeTakeFirstOrThrow()
    await sonde.db.insertInto('team_member').values({ team_id: other, user_id: id, created_ms: 0 }).execute()
    provider.people.set('ada', { email: 'ada@acme.test', email_verified: true, groups: ['eng'] })
    await signIn('ada')
    assert.deepEqual(await sonde.teamsOf('ada@acme.test'), ['guests', 'web'])
    assert.equal(await sonde.roleOf('ada@acme.test'), 'member')
    const audit = await sonde.audit()
    assert.ok(audit.some((each) => each.startsWith('member.set {"role":"member","before":"admin"')))
    assert.ok(audit.some((each) => each.startsWith('sso.sign-in') && each.includes('"left":[')))
  })

  test('who changes their address at the provider stays who they are', async () => {
    provider.people.set('ada', { email: 'countess@elsewhere.test', email_verified: false, groups: ['eng'] })
    const { viewer } = await signIn('ada')
    assert.equal(viewer?.email, 'ada@acme.test')
  })

  test('an account is never taken by an address that the provider does not stand for', async () => {
    await sonde.user('bob@acme.test', 'member')
    provider.people.set('mallory', { email: 'bob@acme.test', email_verified: false })
    assert.equal(reasonOf((await signIn('mallory')).page), 'unverified-email')
    provider.people.set('mallory', { email: 'bob@acme.test' })
    assert.equal(reasonOf((await signIn('mallory')).page), 'unverified-email')
    provider.people.set('mallory', {})
    assert.equal(reasonOf((await signIn('mallory')).page), 'no-email')
  })

  test('an account whose address nobody proved is not taken by it', async () => {
    await sonde.user('dave@acme.test', 'member')
    const verified = (emailVerified: number) =>
      sonde.db.updateTable('user').set({ emailVerified }).where('email', '=', 'dave@acme.test').execute()
    provider.people.set('dave', { email: 'dave@acme.test', email_verified: true })
    await verified(0)
    assert.equal(reasonOf((await signIn('dave')).page), 'has-account')
    await verified(1)
    assert.equal((await signIn('dave')).viewer?.email, 'dave@acme.test')
  })

  test('an account that opens more than this organization is connected by its person alone', async () => {
    await sonde.user('carol@acme.test', 'member')
    await sonde.user('carol@acme.test', 'admin', 'rival')
    provider.people.set('carol', { email: 'carol@acme.test', email_verified: true })
    assert.equal(reasonOf((await signIn('carol')).page), 'has-account')

    const browser = sonde.browser()
    const cookie = await sonde.withPassword('carol@acme.test')
    browser.give(URL_HERE, cookie)
    const viewer = await sonde.viewer('carol@acme.test')
    const proof = sonde.access.sso.proofOf((await sonde.viewerBy(cookie)) ?? viewer, 'acme')
    const page = await signInThere(browser, `${HERE.start}?intent=connect&proof=${proof}`, 'carol')
    assert.equal(page.url.pathname + page.url.search, '/sign-in/sso/acme?connected=yes')
    const signed = await signIn('carol')
    assert.equal(signed.viewer?.email, 'carol@acme.test')
    // What the provider of one organization says opens no other.
    assert.deepEqual(
      signed.viewer?.memberships.map(({ orgSlug }) => orgSlug),
      ['acme'],
    )
    assert.deepEqual(
      signed.viewer?.closedMemberships?.map(({ orgSlug }) => orgSlug),
      ['rival'],
    )
    assert.ok(signed.viewer)
    await assert.rejects(sonde.access.openOrg(signed.viewer, 'rival', 'org:read'), { kind: 'not-found' })
  })

  test('required: a password opens the organization for owners alone, at once', async () => {
    const before = await sonde.withPassword('bob@acme.test')
    const orgs = async (cookie: string) =>
      (await sonde.viewerBy(cookie))?.memberships.map(({ orgSlug }) => orgSlug)
    assert.deepEqual(await orgs(before), ['acme'])
    await switchSso(sonde.commands, await sonde.owner(), { isOn: true, isRequired: true })
    assert.deepEqual(await orgs(before), [])
    assert.deepEqual(await orgs(await sonde.withPassword('carol@acme.test')), ['rival'])
    assert.deepEqual(await orgs(await sonde.withPassword('owner@acme.test')), ['acme'])
    assert.equal((await signIn('ada')).viewer?.memberships.length, 1)
    await switchSso(sonde.commands, await sonde.owner(), { isOn: true })
    assert.deepEqual(await orgs(before), ['acme'])
  })

  test('a removed person is out at the next request, and stays out', async () => {
    const browser = sonde.browser()
    await signIn('ada', browser)
    const cookie = browser.cookie(URL_HERE)
    const { id } = await sonde.db
      .selectFrom('user')
      .select('id')
      .where('email', '=', 'ada@acme.test')
      .executeTakeFirstOrThrow()
    await sonde.db.deleteFrom('member').where('user_id', '=', id).execute()
    assert.deepEqual((await sonde.viewerBy(cookie))?.memberships, [])
    assert.equal(reasonOf((await signIn('ada')).page), 'no-account')
    await sonde.user('ada@acme.test', 'viewer')
    assert.equal((await signIn('ada')).viewer?.memberships.length, 1)
  })

  test('a session ends after the hours that owners chose', async () => {
    const browser = sonde.browser()
    const { viewer } = await signIn('ada', browser)
    await sonde.db
      .updateTable('sso_session')
      .set({ until_ms: Date.now() - 1 })
      .where('session_id', '=', viewer?.sessionId ?? '')
      .execute()
    assert.equal(await sonde.viewerBy(browser.cookie(URL_HERE)), undefined)
  })

  test('who came by the provider signs in with a password once one is set', async () => {
    const person = await sonde.db
      .selectFrom('user')
      .select('id')
      .where('email', '=', 'ada@acme.test')
      .executeTakeFirstOrThrow()
    const typed = { email: 'ada@acme.test', password: 'a password of her own', headers: new Headers() }
    assert.equal((await sonde.access.signIn(typed)).ok, false)
    await sonde.access.setPassword(person.id, typed.password)
    assert.equal((await sonde.access.signIn(typed)).ok, true)
  })

  test('a new key of the provider works at once', async () => {
    provider.changeKeys()
    assert.ok((await signIn('ada')).viewer)
  })

  test('a wrong secret, "Cancel", and an address that is opened twice say what to do', async () => {
    const browser = sonde.browser()
    const page = await browser.open(HERE.start)
    const cancelled = await browser.open(`${page.url.href}/abort`)
    assert.equal(reasonOf(cancelled), 'denied')

    const again = sonde.browser()
    again.stopAt = (url) => url.href.startsWith(HERE.callback)
    const { page: stopped } = await signIn('ada', again)
    again.stopAt = undefined
    const whole = again.cookie(URL_HERE)
    assert.equal((await again.open(stopped.url.href)).url.pathname, '/sign-in')
    assert.equal(reasonOf(await again.open(stopped.url.href)), 'expired')
    // With the cookie of before too: the provider gave the code away already.
    const thief = sonde.browser()
    thief.give(URL_HERE, whole)
    assert.equal(reasonOf(await thief.open(stopped.url.href)), 'expired')
    assert.equal(await sonde.viewerBy(thief.cookie(URL_HERE)), undefined)
    // And in a browser that began nothing: whoever sends somebody their own answer signs nobody in.
    assert.equal(reasonOf(await sonde.browser().open(stopped.url.href)), 'expired')
  })

  test('any query at the callback ends on the page, and signs nobody in', async () => {
    const browser = sonde.browser()
    await browser.open(HERE.start)
    const cookie = browser.cookie(URL_HERE)
    const word = fc.oneof(
      fc.string(),
      fc.constantFrom('code', 'state', 'iss', 'error', 'access_denied', provider.issuer),
    )
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.tuple(word, word), { maxLength: 6 }),
        fc.boolean(),
        async (pairs, hasCookie) => {
          const url = `${HERE.callback}?${new URLSearchParams(pairs)}`
          const answer = await sonde.api.fetch(new Request(url, { headers: hasCookie ? { cookie } : {} }))
          const where = new URL(answer.headers.get('location') ?? '')
          assert.equal(answer.status, 303)
          assert.equal(where.searchParams.get('failed'), 'expired')
          assert.ok(answer.headers.getSetCookie().every((each) => !each.includes('session_token')))
        },
      ),
      { numRuns: 100 },
    )
  })

  test('each failure stands in the audit of the organization, without what was secret', async () => {
    const failures = (await sonde.audit()).filter((each) => each.startsWith('sso.failure'))
    const reasons = new Set(failures.map((each) => (JSON.parse(each.slice(12)) as { reason: string }).reason))
    for (const reason of [
      'denied',
      'expired',
      'wrong-domain',
      'unverified-email',
      'no-email',
      'has-account',
      'no-account',
    ])
      assert.ok(reasons.has(reason), reason)
    const { last_failure } = await sonde.db
      .selectFrom('sso_connection')
      .select('last_failure')
      .executeTakeFirstOrThrow()
    assert.equal((JSON.parse(last_failure ?? '') as { reason: string }).reason, 'expired')
  })

  test('other settings switch it off until they are tested; another issuer needs the secret again', async () => {
    await assert.rejects(
      save({ clientSecret: '', settings: { ...settings(), issuer: 'https://other.example' } }),
      /clientSecret: is needed again/,
    )
    await assert.rejects(
      save({ settings: { ...settings(), issuer: 'http://login.example' } }),
      /must begin with https/,
    )
    assert.deepEqual(await save({ clientSecret: '', name: 'Renamed' }), { isNew: false, needsTest: false })
    assert.ok(await sonde.access.sso.door('acme'))
    assert.deepEqual(await save({ clientSecret: 'another' }), { isNew: false, needsTest: true })
    assert.equal(await sonde.access.sso.door('acme'), undefined)
    const { browser, proof } = await asOwner()
    const page = await signInThere(browser, `${HERE.start}?intent=test&proof=${proof}`, 'olga')
    assert.equal(page.url.pathname + page.url.search, '/acme/settings/single-sign-on?failed=wrong-client')
  })
})

test('another key of the installation opens the client secret again, and a copy of the records does not', async (t) => {
  const sonde = await openSsoHarness()
  t.after(() => sonde.close())
  await saveSsoConnection(sonde.commands, await sonde.owner(), {
    kind: 'oidc',
    name: 'Acme login',
    settings: { issuer: 'https://login.example', clientId: 'sonde' },
    clientSecret: 'only the two know it',
  })
  const stored = async () =>
    (await sonde.db.selectFrom('sso_connection').select('secret').executeTakeFirstOrThrow()).secret
  const [from, to] = [SECRET, 'n'.repeat(43)]
  await assert.rejects(createSeal(to).open(await stored()))
  await writeTransaction(sonde.db, (tx) => reencryptChannels(tx, { from, to }))
  assert.equal(await createSeal(to).open(await stored()), 'only the two know it')
  await assert.rejects(createSeal(from).open(await stored()))
})

test('a provider on a private network is asked only when whoever runs Sonde allows it', async (t) => {
  const sonde = await openSsoHarness([])
  t.after(() => sonde.close())
  const provider = await startOidcServer([HERE.callback])
  t.after(() => provider.close())
  await saveSsoConnection(sonde.commands, await sonde.owner(), {
    kind: 'oidc',
    name: 'Inside',
    settings: { issuer: provider.issuer, clientId: 'sonde' },
    clientSecret: 'x',
  })
  await sonde.db.updateTable('sso_connection').set({ is_on: 1 }).execute()
  const { url } = await sonde.browser().open(HERE.start)
  assert.equal(url.searchParams.get('failed'), 'unreachable')
})
