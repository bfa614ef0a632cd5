/** Requests to what stands behind the ingest endpoints: `/api/0`, pages and their data, forms, sign-in, the front's own paths. */
import { createHash } from 'node:crypto'
import { gzipSync } from 'node:zlib'
import { GOOD } from '../../../packages/ingest/test/support/otlp-request.ts'
import { httpMessage, type Message } from '../mutators/http.ts'
import { zipOf } from '../mutators/zip.ts'
import { fixture } from './fixtures.ts'
import { FORM_TYPE, formBody } from './requests.ts'
import { SEARCH } from './words.ts'

/** Only in heads, so their length is free. */
export const TOKEN = '{{token}}'
export const COOKIE = '{{cookie}}'
export const ORIGIN = '{{origin}}'

const ORG = '/api/0/organizations/acme'
const SHOP = '/api/0/projects/acme/shop'
const TIME = 'statsPeriod=14d&start=2026-11-01T00:00:00&end=2026-11-22&environment=production'

type Sent = Pick<Message, 'method' | 'path'> & {
  readonly headers?: Message['headers']
  readonly body?: Uint8Array | string
}

const message = ({ method, path, headers = [], body = '' }: Sent): Buffer =>
  httpMessage({ method, path, headers: [['Host', 'sonde.test'], ...headers], body: Buffer.from(body) })

const AS_TOKEN: Message['headers'] = [['Authorization', `Bearer ${TOKEN}`]]
const AS_PERSON: Message['headers'] = [
  ['Cookie', COOKIE],
  ['Origin', ORIGIN],
]

const api = (method: string, path: string, json?: unknown): Buffer =>
  message({
    method,
    path,
    headers: json === undefined ? AS_TOKEN : [...AS_TOKEN, ['Content-Type', 'application/json']],
    body: json === undefined ? '' : JSON.stringify(json),
  })
const upload = (path: string, parts: Parameters<typeof formBody>[0]): Buffer =>
  message({
    method: 'POST',
    path,
    headers: [...AS_TOKEN, ['Content-Type', FORM_TYPE]],
    body: formBody(parts),
  })
const page = (path: string, more: Message['headers'] = [['x-sonde-page', '1']]): Buffer =>
  message({ method: 'GET', path, headers: [...AS_PERSON, ...more] })
const post = (path: string, form: string, headers = AS_PERSON): Buffer =>
  message({
    method: 'POST',
    path,
    headers: [...headers, ['Content-Type', 'application/x-www-form-urlencoded']],
    body: form,
  })

const zip = zipOf([
  {
    name: 'manifest.json',
    bytes: Buffer.from(
      '{"release":"1.0","files":{"files/_/_/a.js":{"type":"minified_source","url":"~/a.js"}}}',
    ),
    isPacked: false,
  },
  { name: 'files/_/_/a.js', bytes: Buffer.from('x()'), isPacked: true },
])
const sha1 = createHash('sha1').update(zip).digest('hex')

export function backSeeds(): readonly Buffer[] {
  return [...apiSeeds(), ...pageSeeds(), ...formSeeds(), ...frontSeeds()]
}

function apiSeeds(): Buffer[] {
  const commit = {
    id: 'a'.repeat(40),
    repository: 'acme/shop',
    message: 'fix',
    author_email: 'a@b.example',
    timestamp: '2026-11-22T10:00:00Z',
    patch_set: [{ path: 'a.ts', type: 'M' }],
  }
  const query = encodeURIComponent(SEARCH)
  return [
    ...['/api/0/', '/api/0/organizations/', `${ORG}/`, `${ORG}/projects/`, `${SHOP}/`, `${SHOP}/keys/`].map(
      (path) => api('GET', path),
    ),
    api('GET', `${SHOP}/issues/?query=${query}&${TIME}&sort=freq&limit=25&cursor=0:0:0`),
    api('GET', `${ORG}/issues/?query=${query}&project=2`),
    api('GET', `${ORG}/issues/1/events/latest/`),
    api('GET', `${ORG}/issues/1/tags/level/values/`),
    api('GET', `${SHOP}/events/?full=1&limit=5`),
    api('GET', `${SHOP}/events/${'e'.repeat(32)}/json/`),
    api(
      'GET',
      `${ORG}/events/?dataset=spans&field=span.op&field=p95(span.duration)&field=count()&query=span.duration%3A%3E100ms&sort=-count()&${TIME}`,
    ),
    api(
      'GET',
      `${ORG}/events-stats/?dataset=tracemetrics&yAxis=sum(value,orders,counter,none)&yAxis=count()&topEvents=3&field=region&interval=5m&${TIME}`,
    ),
    api(
      'GET',
      `${ORG}/events/?dataset=profile_functions&field=function&field=package&field=p75(function.duration)&query=is_application%3Atrue&${TIME}`,
    ),
    api('GET', `${ORG}/tags/`),
    api('GET', `${SHOP}/search-suggestions/?query=le&cursor=2`),
    api('GET', `${SHOP}/vitals/?${TIME}`),
    api('GET', `${SHOP}/navigations/?${TIME}`),
    api('GET', `${ORG}/traces/${'a'.repeat(32)}/`),
    api('GET', `${ORG}/releases/?query=1.0&per_page=5`),
    api('GET', `${ORG}/releases/shop%401.0/commits/`),
    api('PUT', `${SHOP}/issues/?id=1&id=2&query=${query}`, {
      status: 'resolved',
      statusDetails: { inNextRelease: true },
      isBookmarked: false,
    }),
    api('PUT', `${SHOP}/`, {
      name: 'shop',
      platform: 'javascript',
      options: { 'filters:error_messages': '*x*\ny' },
    }),
    api('POST', `${SHOP}/keys/`, { name: 'more', rateLimit: { window: 60, count: 10 } }),
    api('POST', `${ORG}/releases/`, {
      version: 'shop@1.0',
      projects: ['shop'],
      refs: [{ repository: 'acme/shop', commit: 'a' }],
      commits: [commit],
      dateReleased: '2026-11-22T10:00:00Z',
    }),
    api('PUT', `${ORG}/releases/shop%401.0/`, { commits: [commit], dateReleased: '2026-11-22' }),
    api('POST', `${ORG}/releases/shop%401.0/deploys/`, {
      environment: 'production',
      name: 'x',
      dateStarted: '2026-11-22T10:00:00Z',
    }),
    api('POST', `${ORG}/artifact-states/`, {
      project: 'shop',
      files: [{ debugId: '5b65abfb-2338-4f0b-b3b9-64c8f734d43f', url: '~/a.js' }],
    }),
    api('POST', `${SHOP}/source-maps/reprocessing/`, { release: '1.0' }),
    api('POST', `${ORG}/artifactbundle/assemble/`, {
      checksum: sha1,
      chunks: [sha1],
      projects: ['shop'],
      version: '1.0',
      dist: null,
    }),
    upload(`${ORG}/chunk-upload/`, [{ name: 'file', fileName: sha1, bytes: zip }]),
    upload(`${ORG}/chunk-upload/`, [{ name: 'file_gzip', fileName: sha1, bytes: gzipSync(zip) }]),
    upload(`${SHOP}/releases/1.0/files/`, [
      { name: 'name', bytes: Buffer.from('~/a.js.map') },
      { name: 'header', bytes: Buffer.from('Sourcemap:a.js.map') },
      {
        name: 'file',
        fileName: 'a.js.map',
        bytes: fixture('source-maps/tc39/resources/basic-mapping.js.map'),
      },
    ]),
  ]
}

function pageSeeds(): Buffer[] {
  const query = encodeURIComponent(SEARCH)
  const html: Message['headers'] = [
    ['Accept', 'text/html'],
    ['Accept-Encoding', 'gzip, br'],
  ]
  return [
    page('/', html),
    page('/acme/shop/issues', html),
    page(`/acme/shop/issues?query=${query}&sort=new&${TIME}&cursor=0:25:0`),
    page(`/acme/issues/suggestions?query=le&at=2`),
    page('/acme/shop/issues/1'),
    page(`/acme/shop/issues/1/events/${'e'.repeat(32)}`),
    page('/acme/shop/issues/1/tags/level'),
    page('/acme/shop/vitals?vital=lcp&period=7d'),
    page('/acme/shop/performance/transaction?name=GET%20%2Fcart&op=http.server'),
    page('/acme/shop/explore?query=span.op%3Ahttp&field=p95(span.duration)&group=span.op'),
    page('/acme/shop/releases/compare?a=1.0&b=1.1'),
    page('/acme/shop/navigations?route=%2Fcart'),
    page('/acme/shop/source-maps?query=a'),
    page(`/acme/traces/${GOOD.traceId}`),
    page(`/acme/traces/${GOOD.traceId}/find?q=x`),
    page(`/acme/traces/${GOOD.traceId}/spans/${GOOD.spanId}`),
    page('/acme/sql?q=SELECT%20count()%20FROM%20events'),
    page('/settings/account', [
      ['x-sonde-page', 'prefetch'],
      ['x-sonde-build', 'x'],
    ]),
    page('/settings/go?to=/acme'),
    page('/settings/status'),
  ]
}

function formSeeds(): Buffer[] {
  return [
    post('/acme/shop/settings', 'form=filters&messages=*x*%0Ay&localhost=on&__proto__=1'),
    post(
      '/acme/shop/settings/scrub-preview',
      `sample=${encodeURIComponent('{"message":"password=1"}')}&fields=a%0Ab`,
    ),
    post(
      '/acme/shop/settings/grouping/trial',
      `form=grouping-rules&fingerprintRules=${encodeURIComponent('error.type:"A*" !path:**/x -> {{ default }}, a title="b"')}&stackRules=${encodeURIComponent('[ app:no ] | function:f ^-group max-frames=2')}`,
    ),
    post(
      '/acme/shop/settings/ownership/trial',
      `form=ownership&sample=src%2Fa.ts&rules=${encodeURIComponent('path:src/**/*.[tj]s #web\ntags.a:"x y" a@b.c\ncodeowners:/docs/ #d')}`,
    ),
    post('/acme/shop/settings/sampling-preview', 'rate=0.5&rule=%2Fhealth*'),
    post('/acme/shop/issues/1', 'form=status&status=resolved'),
    post('/acme/shop/test-event', ''),
    post('/settings/theme', 'theme=dark&next=%2Facme'),
    post('/settings/account', 'form=name&name=A%00B'),
    post('/settings/self-report', '{}'),
    post('/sign-in', 'email=nobody%40example.com&password=wrong', [['Origin', ORIGIN]]),
    post('/sign-in/code', 'code=123456', [
      ['Origin', ORIGIN],
      ['Cookie', 'sonde.two_factor=x.y'],
    ]),
    post('/api/auth/sign-in/email', 'email=a', [['Origin', ORIGIN]]),
    message({
      method: 'POST',
      path: '/api/auth/sign-in/email',
      headers: [
        ['Origin', ORIGIN],
        ['Content-Type', 'application/json'],
      ],
      body: '{"email":"a@b.example","password":"x"}',
    }),
  ]
}

function frontSeeds(): Buffer[] {
  return [
    '/healthz',
    '/readyz',
    '/metrics',
    '/assets/x.js',
    '/favicon.svg',
    '/.well-known/security.txt',
    '/sonde.js',
    '/-/doctor',
    '/nowhere/at/all',
  ].map((path) => message({ method: 'GET', path }))
}
