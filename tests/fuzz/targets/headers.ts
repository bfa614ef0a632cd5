/** Everything that is read from one line of text: what is written from it reads as the same. */
import assert from 'node:assert/strict'
import {
  formatDsn,
  isAllowedPage,
  normalizeEventId,
  pageOrigin,
  parseAllowedDomain,
  parseClientReport,
  parseDsn,
  readAuth,
} from '@sonde/protocol'
import { headerText } from '../../../packages/ingest/src/http/answer.ts'
import { matchEndpoint } from '../../../packages/ingest/src/http/endpoint-path.ts'
import { parseCookies, parseQuery } from '../../../packages/pipeline/src/normalize/request.ts'
import { parseUserAgent } from '../../../packages/pipeline/src/normalize/user-agent.ts'
import { attachmentName } from '../../../packages/pipeline/src/process/attachments.ts'
import { scrubText } from '../../../packages/pipeline/src/scrub/scrub-text.ts'
import { createKeyRules, DEFAULT_SCRUB_SETTINGS } from '../../../packages/pipeline/src/scrub/settings.ts'
import { createGlob } from '../../../packages/protocol/src/glob.ts'
import { compareVersions, inReleaseOrder } from '../../../packages/protocol/src/release-version.ts'
import { downloadName } from '../../../packages/queries/src/events/event-attachments.ts'
import { sameOriginPath } from '../../../packages/web/src/parts/access/same-origin-path.server.ts'
import type { Target } from '../engine/target.ts'
import { fixture } from './fixtures.ts'

const KEY = '0123456789abcdef0123456789abcdef'
const TRACE = 'a'.repeat(32)
const SPAN = 'b'.repeat(16)

export const headers: Target = {
  name: 'headers',
  seeds: () => [
    ...[
      `https://${KEY}@o12.ingest.example:8443/sub/path/42`,
      `http://${KEY}:secret@[::1]:8600/1`,
      `Sentry sentry_version=7, sentry_client=sentry.python/2.0, sentry_key=${KEY}`,
      `sentry_key=${KEY}&sentry_version=7&sentry_client=a%2Fb`,
      `Basic ${Buffer.from(`${KEY}:`).toString('base64')}`,
      `${TRACE}-${SPAN}-1`,
      `00-${TRACE}-${SPAN}-01`,
      `sentry-trace_id=${TRACE},sentry-public_key=${KEY},sentry-release=a%40b,other=1;p=2`,
      '60:error;transaction:key:quota_exceeded, 2700::organization',
      'Sun, 22 Nov 2026 10:00:00 GMT',
      'https://*.shop.example:8443/',
      'shop@1.2.3-rc.1+build.7',
      '2026-01-31-2',
      'Mozilla/5.0 (iPhone; CPU iPhone OS 18_1 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.1 Mobile/15E148 Safari/604.1',
      'password=hunter2&card=4111 1111 1111 1111; token: eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.c2ln',
      'https://user:pass@host/x?api_key=1 Bearer abcdefghijklmnop123 078-05-1120',
      '-----BEGIN RSA PRIVATE KEY-----\nMIIE\n-----END RSA PRIVATE KEY-----',
      'a=1; b="2; c"; __Host-x=%20',
      '/api/42/envelope/?sentry_key=1',
      '*Cannot read*of?undefined*',
      '../../etc/passwd\0.png',
      '/acme/shop/issues?query=is%3Aunresolved#x',
    ].map((text) => Buffer.from(text)),
    fixture('message-parameterization/sentry-2024-09.json').subarray(0, 4_000),
  ],
  words: [
    'sentry-',
    'sentry_key=',
    'Sentry ',
    'Bearer ',
    '//',
    '/\\',
    '%',
    ';',
    ',',
    '@',
    '://',
    '00-',
    'password=',
    '=',
  ],
  maxBytes: 32 * 1024,
  open: () => {
    const sensitivityOf = createKeyRules(DEFAULT_SCRUB_SETTINGS)
    return {
      run(input) {
        const text = input.toString('utf8')
        // As HTTP gives header values.
        const line = input.toString('latin1')
        readIdentity(text, line)
        parseClientReport(Buffer.from(line))
        readReleases(text)
        const scrubbed = scrubText(text, sensitivityOf)
        if (scrubbed) {
          const again = scrubText(scrubbed.text, sensitivityOf)
          assert.equal(again, undefined, 'scrubbing twice is not scrubbing once')
        }
        createGlob(text.slice(0, 200))(text)
        createGlob(text.slice(0, 200), { ignoreCase: true, sets: true, folders: true })(text)
        parseUserAgent(text)
        parseCookies(text)
        parseQuery(text)
        matchEndpoint(line)
        assert.match(headerText(text), /^[\x20-\x7e]*$/)
        const name = downloadName(attachmentName(text))
        assert.ok(
          /^[^/\\\p{Cc}]+$/u.test(name) && !name.startsWith('.'),
          'a name for a download leads elsewhere',
        )
        assert.ok(name.isWellFormed())
        const path = sameOriginPath(text, '/home')
        assert.equal(new URL(path, 'https://sonde.example').origin, 'https://sonde.example')
      },
    }
  },
}

function readIdentity(text: string, line: string): void {
  for (const each of [text, line]) {
    const dsn = parseDsn(each)
    if (dsn) assert.deepEqual(parseDsn(formatDsn(dsn)), dsn)
  }
  const query = new URLSearchParams(line)
  for (const result of [
    readAuth({ sentryAuthHeader: line }),
    readAuth({ authorizationHeader: line }),
    readAuth({ query }),
  ])
    if (result.ok) assert.match(result.auth.publicKey, /^[0-9a-f]{32}$/)
  const id = normalizeEventId(text)
  if (id !== undefined) assert.equal(normalizeEventId(id), id)
  const domain = parseAllowedDomain(text)
  const page = pageOrigin(line, text)
  if (domain && page) isAllowedPage(page, [domain])
}

function readReleases(text: string): void {
  const versions = text
    .slice(0, 2_000)
    .split(/[\s,]+/)
    .slice(0, 12)
  for (const a of versions)
    for (const b of versions) {
      const order = compareVersions(a, b)
      const back = compareVersions(b, a)
      assert.equal(
        order === undefined ? undefined : Math.sign(order) + Math.sign(back ?? NaN),
        order === undefined ? back : 0,
      )
    }
  const rows = versions.map((version, at) => ({ version, firstSeenMs: at % 3 }))
  const names = (list: readonly { version: string }[]): string[] => list.map(({ version }) => version)
  if (new Set(versions).size === versions.length)
    assert.deepEqual(names(inReleaseOrder(rows.toReversed())), names(inReleaseOrder(rows)))
}
