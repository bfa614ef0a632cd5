import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { splitSecurityReport } from '../../src/normalize/index.ts'
import { eventOf } from './event-of.ts'

const FIXTURES = new URL('../../../../fixtures/relay/security_report/', import.meta.url)
const fixture = (name: string) =>
  JSON.parse(readFileSync(new URL(name, FIXTURES), 'utf8')) as Record<string, unknown>
const AGENT =
  'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/74.0.3729.169 Safari/537.36'

function reportEvent(raw: unknown) {
  return eventOf(raw, {
    itemType: 'security',
    clientIp: '127.0.0.1',
    userAgent: AGENT,
    release: '01d5c3165d9fbc5c8bdcf9550a1d6793a80fc02b',
    environment: 'production',
  })
}

for (const name of ['csp', 'csp_chrome_blocked_asset', 'csp_firefox_blocked_asset'])
  test(`the CSP report ${name} becomes the event that upstream makes of it`, () => {
    const event = reportEvent(fixture(`${name}.input.json`))
    const expected = fixture(`${name}.no_processing.output.json`)
    assert.deepEqual(event.logentry, expected.logentry)
    assert.equal(event.derived.culprit, expected.culprit)
    assert.equal(event.type, expected.type)
    assert.equal(event.logger, expected.logger)
    assert.equal(event.release, expected.release)
    assert.equal(event.environment, expected.environment)
    assert.deepEqual(event.request, expected.request)
    assert.deepEqual(event.contexts, expected.contexts)
    assert.deepEqual(event.user, expected.user)
    // Newer versions add `blocked-host`.
    assert.deepEqual(event.tags?.slice(0, 2), expected.tags)
  })

for (const [name, type] of [
  ['expect_staple', 'expectstaple'],
  ['hpkp', 'hpkp'],
] as const)
  test(`a stored ${type} report gives its message, culprit and tags again`, () => {
    const expected = fixture(`${name}.no_processing.output.json`)
    const event = reportEvent({ [type]: expected[type] })
    assert.equal(event.type, type)
    assert.deepEqual(event.logentry, expected.logentry)
    assert.deepEqual(event.tags, expected.tags)
    assert.deepEqual(event.unknown?.[type], expected[type])
  })

test('an Expect-CT report names its host', () => {
  const event = reportEvent(fixture('expect_ct.input.json'))
  assert.equal(event.type, 'expectct')
  assert.equal(event.derived.title, "Expect-CT failed for 'www.example.com'")
  assert.equal(event.derived.culprit, 'www.example.com')
  assert.deepEqual(event.tags, [
    ['hostname', 'www.example.com'],
    ['port', '443'],
  ])
})

test('what was blocked is said per directive', () => {
  const cases: [string, string, string][] = [
    ['img-src', '', "Blocked inline 'image'"],
    ['style-src-elem', 'self', "Blocked 'style' or 'link' element"],
    ['script-src', "'self'", "Blocked unsafe (eval() or inline) 'script'"],
    ['script-src', 'inline', "Blocked unsafe inline 'script'"],
    ['script-src', 'eval', "Blocked unsafe eval() 'script'"],
    ['script-src', 'data', "Blocked 'script' from 'data:'"],
    ['img-src', 'https://a.example:8443/x?y', "Blocked 'image' from 'a.example:8443'"],
    ['form-action', 'https://a.example/x', "Blocked 'form' action to 'a.example'"],
    ['img-src', 'wss://a.example', "Blocked 'image' from 'wss://a.example'"],
    ['base-uri', 'https://a.example', "Blocked 'base-uri' from 'a.example'"],
  ]
  for (const [directive, blocked, expected] of cases) {
    const report = { 'csp-report': { 'violated-directive': directive, 'blocked-uri': blocked } }
    assert.equal(reportEvent(report).derived.title, expected, `${directive} ${blocked}`)
  }
})

test('own origins in the culprit are called self', () => {
  const report = {
    'csp-report': {
      'document-uri': 'https://a.example/p',
      'violated-directive': 'img-src https://a.example https://b.example',
    },
  }
  assert.equal(reportEvent(report).derived.culprit, "img-src 'self' https://b.example")
})

test('the Reporting API sends several reports at once, in camel case', () => {
  const reports = [
    {
      type: 'csp-violation',
      age: 1,
      url: 'https://a.example',
      body: {
        documentURL: 'https://a.example/',
        effectiveDirective: 'img-src',
        blockedURL: 'https://b.example/i.png',
        sample: 'x',
      },
    },
    { type: 'permissions-policy-violation', body: {} },
  ]
  const [report, ...others] = splitSecurityReport(reports)
  assert.equal(others.length, 0)
  const event = reportEvent(report)
  assert.equal(event.derived.title, "Blocked 'image' from 'b.example'")
  assert.equal(event.request?.url, 'https://a.example/')
  assert.equal(JSON.stringify(event.unknown?.csp).includes('"script_sample":"x"'), true)
})

// The report of https://www.w3.org/TR/network-error-logging/#sample-network-error-reports
const NETWORK_ERROR = {
  age: 60_000,
  type: 'network-error',
  url: 'https://widget.example:8443/thing.js?token=1',
  body: {
    sampling_fraction: 0.5,
    referrer: 'https://www.example.com/',
    server_ip: '',
    protocol: '',
    method: 'GET',
    status_code: 0,
    elapsed_time: 143,
    type: 'dns.name_not_resolved',
    phase: 'dns',
  },
}

test('a request that failed below HTTP is an event of the time at which it failed', () => {
  const event = reportEvent(NETWORK_ERROR)
  assert.equal(event.type, 'nel')
  assert.equal(event.derived.title, 'Network error dns.name_not_resolved: widget.example:8443')
  assert.equal(event.level, 'error')
  assert.equal(event.logger, 'network-error')
  assert.equal(event.received - event.timestamp, 60)
  assert.equal(event.request?.url, 'https://widget.example:8443/thing.js')
  assert.deepEqual(event.request?.headers?.[0], ['Referer', 'https://www.example.com/'])
  assert.deepEqual(event.tags?.slice(0, 3), [
    ['nel.type', 'dns.name_not_resolved'],
    ['nel.phase', 'dns'],
    ['http.method', 'GET'],
  ])
  assert.equal(JSON.stringify(event.unknown?.nel).includes('"elapsed_time":143'), true)
})

test('crashes, deprecations and interventions say what happened where', () => {
  const crash = reportEvent({ type: 'crash', url: 'https://a.example/', body: { reason: 'oom' } })
  assert.deepEqual(
    [crash.derived.title, crash.level, crash.type],
    ['The page crashed: oom', 'error', 'default'],
  )
  const body = { id: 'UnloadHandler', message: 'Unload event listeners are deprecated.' }
  const source = { sourceFile: 'https://a.example/a.js', lineNumber: 7, columnNumber: 3 }
  const event = reportEvent({ type: 'deprecation', url: 'https://a.example/', body: { ...body, ...source } })
  assert.equal(event.derived.title, 'Deprecated: Unload event listeners are deprecated.')
  assert.equal(event.level, 'warning')
  assert.deepEqual(event.tags?.slice(0, 2), [
    ['report.id', 'UnloadHandler'],
    ['report.source', 'https://a.example/a.js:7:3'],
  ])
})

test('reports whose fields are of other types are read as far as they go', () => {
  for (const type of ['network-error', 'crash', 'deprecation', 'intervention'])
    for (const body of [
      {},
      { type: [], reason: {}, message: 7, id: null, lineNumber: 'x', sourceFile: [] },
    ]) {
      const event = reportEvent({ type, age: 'old', url: 17, body })
      assert.ok(event.derived.title.length > 0)
      assert.equal(event.received, event.timestamp)
    }
})
