import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Auth, type AuthProblem, type AuthSources, authFromDsn, readAuth } from '@sonde/protocol/auth'
import { parseDsn } from '@sonde/protocol/dsn'
import * as fc from 'fast-check'

const KEY = 'e12d836b15bb49d7bbf99e64295d995b'
const OTHER = 'aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa'
const query = (text: string) => new URLSearchParams(text)
const header = (sentryAuthHeader: string): AuthSources => ({ sentryAuthHeader })
const basic = (login: string): AuthSources => ({ authorizationHeader: `Basic ${btoa(login)}` })

const GOOD: readonly [name: string, sources: AuthSources, auth: Partial<Auth>][] = [
  [
    'the header',
    header(`Sentry sentry_key=${KEY}, sentry_version=7, sentry_client=raven/1.0, sentry_secret=s`),
    { client: 'raven/1.0', secret: 's' },
  ],
  [
    'the header without spaces',
    header(`Sentry sentry_key=${KEY},sentry_version=6,sentry_client=a/1`),
    { version: 6, client: 'a/1' },
  ],
  [
    'the header with an odd scheme and spaces',
    header(`  SENTRY   sentry_key = ${KEY} ,  sentry_version = 7 `),
    {},
  ],
  [
    'the header with quotes, unknown and empty fields',
    header(`Sentry sentry_key="${KEY}",,sentry_timestamp=1,x`),
    {},
  ],
  ['a client that holds "="', header(`Sentry sentry_key=${KEY},sentry_client=a=b`), { client: 'a=b' }],
  ['Authorization: Sentry', { authorizationHeader: `sentry sentry_key=${KEY}, sentry_version=7` }, {}],
  ['Authorization: Basic', basic(`${KEY}:anything`), {}],
  ['Authorization: Basic without password', basic(KEY), {}],
  [
    'the query',
    { query: query(`sentry_version=7&sentry_key=${KEY}&sentry_client=sentry.javascript.browser%2F10.1`) },
    { client: 'sentry.javascript.browser/10.1' },
  ],
  ['a key in capitals', header(`Sentry sentry_key=${KEY.toUpperCase()}`), {}],
  ['a key with a flag', header(`Sentry sentry_key=${KEY}.no-cache`), {}],
  ['version 2', header(`Sentry sentry_key=${KEY},sentry_version=2`), { version: 2 }],
  ['version 2.0', header(`Sentry sentry_key=${KEY},sentry_version=2.0`), { version: 2 }],
  ['no version', header(`Sentry sentry_key=${KEY}`), { version: 7 }],
  [
    'a header beside a query that names no key',
    { ...header(`Sentry sentry_key=${KEY}`), query: query('sentry_release=1') },
    {},
  ],
  [
    'a query beside a bearer token',
    { authorizationHeader: 'Bearer x', query: query(`sentry_key=${KEY}`) },
    {},
  ],
  ["a query beside a proxy's login", { ...basic('admin:secret'), query: query(`sentry_key=${KEY}`) }, {}],
  [
    'a query beside empty headers',
    { sentryAuthHeader: '', authorizationHeader: '', query: query(`sentry_key=${KEY}`) },
    {},
  ],
]
for (const [name, sources, auth] of GOOD) {
  test(`${name} is enough`, () => {
    assert.deepEqual(readAuth(sources), { ok: true, auth: { publicKey: KEY, version: 7, ...auth } })
  })
}

const BAD: readonly [name: string, sources: AuthSources, status: 400 | 401, problem: AuthProblem][] = [
  ['nothing', {}, 401, 'missing'],
  ['nulls', { sentryAuthHeader: null, authorizationHeader: null }, 401, 'missing'],
  ['a query without a key', { query: query('sentry_version=7') }, 401, 'missing'],
  ['a login that is no key', basic('admin:secret'), 401, 'missing'],
  ['a broken Basic', { authorizationHeader: 'Basic %%%' }, 401, 'missing'],
  ['a header of another scheme', header(`Bearer sentry_key=${KEY}`), 401, 'malformed'],
  ['a header without a key', header('Sentry sentry_version=7'), 401, 'malformed'],
  ['a header with an empty key', header('Sentry sentry_key=,sentry_version=7'), 401, 'malformed'],
  [
    'two headers that a server joined',
    header(`Sentry sentry_key=${KEY}, Sentry sentry_key=${OTHER}`),
    401,
    'malformed',
  ],
  [
    'header and query',
    { ...header(`Sentry sentry_key=${KEY}`), query: query(`sentry_key=${KEY}`) },
    401,
    'multiple',
  ],
  [
    'two headers',
    { ...header(`Sentry sentry_key=${KEY}`), authorizationHeader: `Sentry sentry_key=${KEY}` },
    401,
    'multiple',
  ],
  ['Basic and query', { ...basic(KEY), query: query(`sentry_key=${OTHER}`) }, 401, 'multiple'],
  ['a key of 31 digits', header(`Sentry sentry_key=${KEY.slice(1)}`), 400, 'bad-key'],
  ['a key that is not hex', { query: query('sentry_key=__proto__') }, 400, 'bad-key'],
  ['version 8', header(`Sentry sentry_key=${KEY},sentry_version=8`), 400, 'bad-version'],
  ['version 0', header(`Sentry sentry_key=${KEY},sentry_version=0`), 400, 'bad-version'],
  ['a version in words', header(`Sentry sentry_key=${KEY},sentry_version=seven`), 400, 'bad-version'],
]
for (const [name, sources, status, problem] of BAD) {
  test(`${name} is refused with ${status} as ${problem}`, () => {
    const result = readAuth(sources)
    assert.ok(!result.ok)
    assert.deepEqual([result.status, result.problem], [status, problem])
    assert.ok(result.detail.length > 10, 'says why')
  })
}

test('a long client name is cut, not refused', () => {
  const result = readAuth({ query: query(`sentry_key=${KEY}&sentry_client=${'x'.repeat(5000)}`) })
  assert.equal(result.ok && result.auth.client?.length, 256)
})

const fromDsn = (text: string) => authFromDsn(parseDsn(text) ?? assert.fail('no DSN'))

test('the DSN of an envelope authenticates like a header, and its key is checked as one', () => {
  assert.deepEqual(fromDsn(`https://${KEY}:@elsewhere/42`), {
    ok: true,
    auth: { publicKey: KEY, version: 7 },
  })
  assert.deepEqual(
    { ...fromDsn('https://short@elsewhere/42'), detail: '' },
    { ok: false, status: 400, problem: 'bad-key', detail: '' },
  )
})

test('no text makes it throw', () => {
  fc.assert(
    fc.property(fc.string(), fc.string(), fc.string(), (a, b, c) => {
      const result = readAuth({
        sentryAuthHeader: `Sentry ${a}`,
        authorizationHeader: `Basic ${b}`,
        query: query(c),
      })
      assert.equal(typeof result.ok, 'boolean')
    }),
  )
})
