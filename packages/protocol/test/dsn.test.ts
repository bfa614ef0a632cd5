import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Dsn, formatDsn, normalizeProjectId, parseDsn } from '@sonde/protocol/dsn'
import * as fc from 'fast-check'

const KEY = 'e12d836b15bb49d7bbf99e64295d995b'

const GOOD: readonly [text: string, dsn: Dsn][] = [
  [
    `https://${KEY}@sentry.io/42`,
    { scheme: 'https', publicKey: KEY, host: 'sentry.io', path: '', projectId: '42' },
  ],
  [
    `http://${KEY}@localhost:8600/1`,
    { scheme: 'http', publicKey: KEY, host: 'localhost', port: 8600, path: '', projectId: '1' },
  ],
  [`https://${KEY}:secret@h/1`, { scheme: 'https', publicKey: KEY, host: 'h', path: '', projectId: '1' }],
  [`https://${KEY}:@h/1`, { scheme: 'https', publicKey: KEY, host: 'h', path: '', projectId: '1' }],
  [`https://${KEY}.no-cache@h/1`, { scheme: 'https', publicKey: KEY, host: 'h', path: '', projectId: '1' }],
  [`https://${KEY}@h/a/b/7`, { scheme: 'https', publicKey: KEY, host: 'h', path: '/a/b', projectId: '7' }],
  [`https://${KEY}@h/2/7`, { scheme: 'https', publicKey: KEY, host: 'h', path: '/2', projectId: '7' }],
  [
    `https://${KEY}@o12.ingest.us.sentry.io/3`,
    {
      scheme: 'https',
      publicKey: KEY,
      host: 'o12.ingest.us.sentry.io',
      path: '',
      projectId: '3',
      orgId: '12',
    },
  ],
  [
    `https://${KEY}@[::1]:9/3`,
    { scheme: 'https', publicKey: KEY, host: '[::1]', port: 9, path: '', projectId: '3' },
  ],
  [` https://${KEY}@h/3/?a=b#c `, { scheme: 'https', publicKey: KEY, host: 'h', path: '', projectId: '3' }],
  [`https://${KEY}@h/007`, { scheme: 'https', publicKey: KEY, host: 'h', path: '', projectId: '7' }],
  ['HTTPS://abc@h/3', { scheme: 'https', publicKey: 'abc', host: 'h', path: '', projectId: '3' }],
]
for (const [text, dsn] of GOOD) test(`${text} is a DSN`, () => assert.deepEqual(parseDsn(text), dsn))

const BAD: readonly unknown[] = [
  '',
  'https://sentry.io/42',
  `ftp://${KEY}@h/1`,
  `//${KEY}@h/1`,
  `https://@h/1`,
  `https://${KEY}@/1`,
  `https://${KEY}@h`,
  `https://${KEY}@h/`,
  `https://${KEY}@h/project`,
  `https://${KEY}@h/1a`,
  `https://${KEY}@h/-1`,
  `https://${KEY}@h/123456789012345678901`,
  `https://${KEY}@h:0/1`,
  `https://${KEY}@h:65536/1`,
  `https://${KEY}@h:x/1`,
  `https://${KEY}@evil\r\nHost: x/1`,
  `https://${KEY}@a@b/1`,
  `https://${KEY}@h/${'a/'.repeat(2000)}1`,
  null,
  undefined,
  42,
  { dsn: 'x' },
]
for (const text of BAD) {
  test(`${JSON.stringify(text)?.slice(0, 60)} is no DSN`, () => assert.equal(parseDsn(text), undefined))
}

test('URLs keep port and path', () => {
  const dsn = parseDsn(`https://${KEY}:s@h.example:81/a/b/7`)
  assert.ok(dsn)
  assert.equal(formatDsn(dsn), `https://${KEY}@h.example:81/a/b/7`)
})

test('a project id is a number, and compares without leading zeros', () => {
  assert.equal(normalizeProjectId('0042'), '42')
  assert.equal(normalizeProjectId('0'), '0')
  for (const text of ['', 'x', '1x', '-1', '1.5', ' 1', '1\n', '1'.repeat(21)])
    assert.equal(normalizeProjectId(text), undefined)
})

test('what is formatted parses to the same DSN', () => {
  const segment = fc.stringMatching(/^[a-z0-9._-]{1,8}$/)
  const dsn = fc
    .record({
      scheme: fc.constantFrom('http' as const, 'https' as const),
      publicKey: fc.stringMatching(/^[0-9a-f]{32}$/),
      host: fc.domain().filter((host) => !/^o\d+\./.test(host)),
      port: fc.option(fc.integer({ min: 1, max: 65_535 }), { nil: undefined }),
      path: fc.array(segment, { maxLength: 3 }).map((segments) => segments.map((one) => `/${one}`).join('')),
      projectId: fc.maxSafeNat().map(String),
    })
    .map(({ port, ...rest }) => (port === undefined ? rest : { ...rest, port }))
  fc.assert(fc.property(dsn, (one) => assert.deepEqual(parseDsn(formatDsn(one)), one)))
})

test('no text makes it throw, and whatever parses formats to a DSN again', () => {
  fc.assert(
    fc.property(fc.string(), fc.string(), (user, rest) => {
      const dsn = parseDsn(`https://${user}@${rest}/1`)
      if (dsn) assert.deepEqual(parseDsn(formatDsn(dsn)), dsn)
    }),
  )
})
