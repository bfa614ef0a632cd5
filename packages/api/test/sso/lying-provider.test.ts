/** A provider that lies, in each thing that it says: nobody is signed in, and owners read what is wrong. */
import assert from 'node:assert/strict'
import { after, afterEach, before, beforeEach, describe, it } from 'node:test'
import { ssoAddresses } from '@sonde/access'
import { addSsoGroup, saveSsoConnection } from '@sonde/commands'
import {
  type Lies,
  type LyingServer,
  newKey,
  signed,
  signedWithPublicKey,
  startLyingServer,
  unsigned,
} from '../../../../tests/harness/sign-in/lying-oidc-server.ts'
import { openSsoHarness, type SsoHarness, URL_HERE } from './sso-harness.ts'

const HERE = ssoAddresses(URL_HERE, 'acme')
const DISCOVERY = '/.well-known/openid-configuration'
const HOUR_SEC = 3_600
const other = newKey()
const nowSec = Math.floor(Date.now() / 1000)
const claims = (change: object): Lies => ({ claims: (honest) => ({ ...honest, ...change }) })
const discovery = (change: object): Lies => ({ discovery: (honest) => ({ ...honest, ...change }) })

/** What it does, the reason in the address of the page, and what owners read of it. */
const LIES: readonly (readonly [string, Lies, string, RegExp])[] = [
  ['another issuer in its discovery', discovery({ issuer: 'https://evil.test' }), 'wrong-proof', /issuer/],
  ['another issuer in the token', claims({ iss: 'https://evil.test' }), 'wrong-proof', /"iss"/],
  [
    'a signature of another key',
    { idToken: (told, { kid }) => signed(told, { ...other, kid }) },
    'wrong-proof',
    /signature/,
  ],
  ['a key that it does not offer', { idToken: (told) => signed(told, other) }, 'wrong-proof', /key/],
  ['no signature', { idToken: unsigned }, 'wrong-proof', /alg/],
  [
    'no signature, as it announced',
    { idToken: unsigned, ...discovery({ id_token_signing_alg_values_supported: ['none'] }) },
    'wrong-proof',
    /alg|signature/,
  ],
  ['its public key as a secret', { idToken: signedWithPublicKey }, 'wrong-proof', /alg/],
  [
    'its public key as a secret, as it announced',
    { idToken: signedWithPublicKey, ...discovery({ id_token_signing_alg_values_supported: ['HS256'] }) },
    'wrong-proof',
    /alg|key/,
  ],
  [
    'a token that is over',
    claims({ exp: nowSec - HOUR_SEC, iat: nowSec - 2 * HOUR_SEC }),
    'wrong-time',
    /"exp"/,
  ],
  ['a token that begins later', claims({ nbf: nowSec + HOUR_SEC }), 'wrong-time', /"nbf"/],
  ['a token for somebody else', claims({ aud: 'other' }), 'wrong-proof', /"aud"/],
  [
    'a token for several, of another party',
    claims({ aud: ['sonde', 'other'], azp: 'other' }),
    'wrong-proof',
    /"azp"/,
  ],
  [
    'a token for several, of no party',
    claims({ aud: ['sonde', 'other'] }),
    'wrong-proof',
    /"aud".*client ID/,
  ],
  ['no nonce', claims({ nonce: undefined }), 'wrong-proof', /"nonce"/],
  ['another nonce', claims({ nonce: 'guessed' }), 'wrong-proof', /"nonce"/],
  ['no subject', claims({ sub: undefined }), 'wrong-proof', /"sub"/],
  ['a text that is no token', { idToken: () => 'a.b.c' }, 'unreachable', /parse JWT/],
  [
    'an answer of another provider (mix-up)',
    { returned: (back) => back.set('iss', 'https://evil.test') },
    'wrong-proof',
    /"iss"/,
  ],
  [
    'no issuer in an answer, which it announced',
    {
      returned: (back) => back.delete('iss'),
      ...discovery({ authorization_response_iss_parameter_supported: true }),
    },
    'wrong-proof',
    /"iss"/,
  ],
  [
    'userinfo of somebody else',
    {
      ...claims({ email: undefined }),
      userinfo: { sub: 'owner', email: 'owner@acme.test', email_verified: true },
    },
    'wrong-proof',
    /"sub"/,
  ],
  ['an address that is not verified', claims({ email_verified: false }), 'unverified-email', /ada@acme.test/],
  ['groups that are no list', claims({ groups: { eng: true } }), 'wrong-groups', /"groups".*list/],
  ['groups that are no texts', claims({ groups: ['eng', 7] }), 'wrong-groups', /"groups".*list/],
  [
    'thousands of groups',
    claims({ groups: Array.from({ length: 5_000 }, (_, at) => `g${at}`) }),
    'wrong-groups',
    /5,000 groups.*1,000/,
  ],
  [
    'a hundred thousand groups',
    claims({ groups: Array.from({ length: 100_000 }, (_, at) => `group-${at}`) }),
    'unreachable',
    /more than 512 KiB/,
  ],
  [
    'groups somewhere else, as Entra ID does with many',
    claims({ groups: undefined, _claim_names: { groups: 'src1' } }),
    'wrong-groups',
    /"groups".*somewhere else/,
  ],
  [
    'a discovery that leads inside',
    {
      at: {
        [DISCOVERY]: (_, res) =>
          void res.writeHead(302, { location: 'http://169.254.169.254/latest/' }).end(),
      },
    },
    'unreachable',
    /302/,
  ],
  [
    'tokens from inside',
    discovery({ token_endpoint: 'http://169.254.169.254/latest/' }),
    'unreachable',
    /not of the public internet/,
  ],
  [
    'keys from inside',
    discovery({ jwks_uri: 'http://169.254.169.254/latest/' }),
    'unreachable',
    /not of the public internet/,
  ],
  [
    'a sign-in page that is a script',
    discovery({ authorization_endpoint: 'javascript:alert(1)' }),
    'unreachable',
    /sign-in page/,
  ],
  [
    'an answer without an end',
    {
      at: {
        '/token': (_, res) => {
          const line = Buffer.alloc(64 * 1024, ' ')
          const more = (): void => {
            while (!res.destroyed && res.write(line)) continue
          }
          res.on('drain', more)
          more()
        },
      },
    },
    'unreachable',
    /more than 512 KiB/,
  ],
  ['a huge discovery', discovery({ padding: 'x'.repeat(600_000) }), 'unreachable', /more than 512 KiB/],
  ['silence', { at: { '/token': () => undefined } }, 'unreachable', /did not answer within/],
  [
    'a byte now and then',
    {
      at: {
        '/token': (_, res) => {
          const drip = setInterval(() => res.write(' '), 50)
          res.on('close', () => clearInterval(drip))
        },
      },
    },
    'unreachable',
    /did not answer within/,
  ],
  [
    'a web page',
    { at: { '/token': (_, res) => void res.writeHead(200, { 'content-type': 'text/html' }).end('<p>') } },
    'unreachable',
    /not OpenID Connect/,
  ],
  [
    'an error of its own',
    { at: { '/token': (_, res) => void res.writeHead(500).end('oops') } },
    'unreachable',
    /500/,
  ],
]

describe('a provider that lies', () => {
  let sonde: SsoHarness
  let provider: LyingServer
  before(async () => {
    // Ten seconds of waiting prove no more than one.
    sonde = await openSsoHarness(['127.0.0.1'], 1_000)
    await sonde.db
      .insertInto('sso_domain')
      .values({
        org_id: (await sonde.owner()).orgId,
        domain: 'acme.test',
        token: 't',
        verified_ms: 1,
        created_ms: 1,
      })
      .execute()
  })
  after(() => sonde.close())
  // Another address each time: what was discovered is kept for some minutes.
  beforeEach(async () => {
    provider = await startLyingServer()
    await saveSsoConnection(sonde.commands, await sonde.owner(), {
      kind: 'oidc',
      name: 'Acme login',
      settings: { issuer: provider.issuer, clientId: 'sonde' },
      clientSecret: 'only the two know it',
    })
    await sonde.db.updateTable('sso_connection').set({ is_on: 1, last_failure: null }).execute()
    await sonde.db.deleteFrom('audit_entry').execute()
    await sonde.db.deleteFrom('session').execute()
  })
  afterEach(() => provider.close())

  const signIn = async (browser = sonde.browser()) => {
    const { url } = await browser.open(HERE.start)
    return { url, browser, viewer: await sonde.viewerBy(browser.cookie(URL_HERE)) }
  }
  const failures = async () =>
    (await sonde.audit())
      .filter((each) => each.startsWith('sso.failure '))
      .map((each) => JSON.parse(each.slice('sso.failure '.length)) as { reason: string; message: string })

  for (const [lie, lies, reason, words] of LIES) {
    it(`${lie}: nobody is signed in, and owners read "${reason}"`, async () => {
      provider.tell(lies)
      const startedMs = performance.now()
      const { url, viewer } = await signIn()
      const tookMs = performance.now() - startedMs
      const [told, ...more] = await failures()
      assert.equal(url.pathname, '/sign-in/sso/acme')
      assert.deepEqual(
        [url.searchParams.get('failed'), told?.reason, more],
        [reason, reason, []],
        told?.message,
      )
      assert.match(told?.message ?? '', words)
      assert.equal(viewer, undefined)
      assert.deepEqual(await sonde.db.selectFrom('session').select('id').execute(), [])
      const { last_failure } = await sonde.db
        .selectFrom('sso_connection')
        .select('last_failure')
        .executeTakeFirstOrThrow()
      assert.deepEqual(JSON.parse(last_failure ?? ''), told)
      assert.ok(tookMs < 5_000, `${tookMs} ms`)
    })
  }

  it('an answer that was taken is not taken again, though the provider takes its code twice', async () => {
    const browser = sonde.browser()
    browser.stopAt = (url) => url.href.startsWith(HERE.callback)
    const { url } = await signIn(browser)
    browser.stopAt = undefined
    const cookie = browser.cookie(URL_HERE)
    await browser.open(url.href)
    assert.equal((await sonde.viewerBy(browser.cookie(URL_HERE)))?.email, 'ada@acme.test')
    const thief = sonde.browser()
    thief.give(URL_HERE, cookie)
    assert.equal((await thief.open(url.href)).url.searchParams.get('failed'), 'expired')
    // Its code with the state of a sign-in that the thief began: the nonce is of the other.
    const again = sonde.browser()
    again.stopAt = (each) => each.href.startsWith(HERE.callback)
    const fresh = (await signIn(again)).url
    again.stopAt = undefined
    fresh.searchParams.set('code', url.searchParams.get('code') ?? '')
    assert.equal((await again.open(fresh.href)).url.searchParams.get('failed'), 'wrong-proof')
    for (const each of [thief, again]) assert.equal(await sonde.viewerBy(each.cookie(URL_HERE)), undefined)
  })

  it('told the truth, the same provider signs in', async () => {
    await addSsoGroup(sonde.commands, await sonde.owner(), { group: 'eng', teamId: await sonde.team('web') })
    assert.equal((await signIn()).viewer?.email, 'ada@acme.test')
    assert.deepEqual(await sonde.teamsOf('ada@acme.test'), ['web'])
  })

  it('a thousand failures are two hundred entries a day', async () => {
    provider.tell(discovery({ issuer: 'https://evil.test' }))
    await sonde.db.deleteFrom('try_window').execute()
    for (let at = 0; at < 250; at++) await signIn()
    assert.equal((await failures()).length, 200)
  })
})
