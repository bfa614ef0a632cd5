import assert from 'node:assert/strict'
import { test } from 'node:test'
import { contextText } from '../../src/normalize/contexts.ts'
import { parseUserAgent } from '../../src/normalize/user-agent.ts'
import { eventOf } from './event-of.ts'

test('contexts get their type; null, scalars and reprocessing are left out', () => {
  const event = eventOf({
    contexts: {
      os: { name: 'Linux', version: null },
      own: { a: 1, type: 'mine' },
      empty: {},
      gone: null,
      odd: 'text',
      reprocessing: { x: 1 },
    },
  })
  assert.deepEqual(event.contexts, { os: { name: 'Linux', type: 'os' }, own: { a: 1, type: 'mine' } })
  assert.deepEqual(
    event.errors?.map(({ name }) => name),
    ['contexts.odd'],
  )
})

test('trace ids are lower hex, or absent', () => {
  const trace = { trace_id: '771A43A4192642F0B136D5159A501700', span_id: '0000000000000000', op: 'x' }
  assert.deepEqual(eventOf({ contexts: { trace } }).contexts?.trace, {
    trace_id: '771a43a4192642f0b136d5159a501700',
    op: 'x',
    type: 'trace',
  })
  const fromHeader = eventOf({}, { trace: { trace_id: '771a43a4192642f0b136d5159a501700', public_key: 'k' } })
  assert.deepEqual(fromHeader.contexts?.trace, {
    trace_id: '771a43a4192642f0b136d5159a501700',
    type: 'trace',
  })
})

test('the last hundred feature flags are kept', () => {
  const values = Array.from({ length: 120 }, (_, index) => ({ flag: `f${index}`, result: true }))
  const flags = eventOf({ contexts: { flags: { values } } }).contexts?.flags?.values
  assert.ok(Array.isArray(flags))
  assert.deepEqual(flags[0], { flag: 'f20', result: true })
})

test('the header tells browser and system where the SDK did not', () => {
  const agent =
    'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/74.0.3729.169 Safari/537.36'
  const request = { headers: { 'user-agent': agent } }
  const page = eventOf({ platform: 'javascript', request })
  assert.deepEqual(page.contexts, {
    browser: { name: 'Chrome', version: '74.0.3729', type: 'browser' },
    os: { name: 'Windows', version: '10', type: 'os' },
  })
  const server = eventOf({
    platform: 'python',
    request,
    contexts: { browser: { name: 'Mine' }, os: { name: 'BSD' } },
  })
  assert.deepEqual(Object.keys(server.contexts!), ['browser', 'os', 'client_os'])
  assert.equal(server.contexts?.browser?.name, 'Mine')
})

test('the agents that people use are told apart', () => {
  const cases: [string, string | undefined, string | undefined, string | undefined][] = [
    [
      'Mozilla/5.0 (X11; Ubuntu; Linux x86_64; rv:105.0) Gecko/20100101 Firefox/105.0',
      'Firefox 105.0',
      'Ubuntu',
      undefined,
    ],
    [
      'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/17.4 Safari/605.1.15',
      'Safari 17.4',
      'Mac OS X 10.15.7',
      'Mac',
    ],
    [
      'Mozilla/5.0 (iPhone; CPU iPhone OS 17_4_1 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/17.4.1 Mobile/15E148 Safari/604.1',
      'Mobile Safari 17.4.1',
      'iOS 17.4.1',
      'iPhone',
    ],
    [
      'Mozilla/5.0 (iPhone; CPU iPhone OS 17_4 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) CriOS/123.0.6312.52 Mobile/15E148 Safari/604.1',
      'Chrome Mobile iOS 123.0.6312',
      'iOS 17.4',
      'iPhone',
    ],
    [
      'Mozilla/5.0 (Linux; Android 10; K) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/124.0.0.0 Mobile Safari/537.36',
      'Chrome Mobile 124.0.0',
      'Android 10',
      undefined,
    ],
    [
      'Mozilla/5.0 (Linux; Android 13; SM-S901B Build/TP1A; wv) AppleWebKit/537.36 Version/4.0 Chrome/112.0.5615 Mobile Safari/537.36',
      'Chrome Mobile WebView 112.0.5615',
      'Android 13',
      'SM-S901B',
    ],
    [
      'Mozilla/5.0 (Linux; Android 14; SM-S918B) AppleWebKit/537.36 (KHTML, like Gecko) SamsungBrowser/24.0 Chrome/117.0.0.0 Mobile Safari/537.36',
      'Samsung Internet 24.0',
      'Android 14',
      'SM-S918B',
    ],
    [
      'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/124.0.0.0 Safari/537.36 Edg/124.0.2478.51',
      'Edge 124.0.2478',
      'Windows 10',
      undefined,
    ],
    [
      'Mozilla/5.0 (Windows NT 6.1; WOW64; Trident/7.0; rv:11.0) like Gecko',
      'IE 11.0',
      'Windows 7',
      undefined,
    ],
    [
      'Mozilla/5.0 (Android 14; Mobile; rv:125.0) Gecko/125.0 Firefox/125.0',
      'Firefox Mobile 125.0',
      'Android 14',
      undefined,
    ],
    [
      'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) HeadlessChrome/124.0.0.0 Safari/537.36',
      'HeadlessChrome 124.0.0',
      'Linux',
      undefined,
    ],
    ['curl/8.5.0', undefined, undefined, undefined],
    ['', undefined, undefined, undefined],
  ]
  for (const [agent, browser, os, device] of cases) {
    const parsed = parseUserAgent(agent)
    const nameOf = (part: typeof parsed.os) =>
      part && [contextText(part, 'name'), contextText(part, 'version')].join(' ').trim()
    assert.deepEqual(
      [nameOf(parsed.browser), nameOf(parsed.os), parsed.device?.model],
      [browser, os, device],
      agent,
    )
  }
})

test('a raw description is read where there is no name', () => {
  const cases: [string, string, object][] = [
    ['os', 'Linux 5.4.0-7626-generic #30 SMP', { name: 'Linux', kernel_version: '5.4.0' }],
    ['os', 'Microsoft Windows 10.0.19041', { name: 'Windows', version: '10.0.19041' }],
    ['runtime', '.NET Core 3.1.3', { name: '.NET Core', version: '3.1.3' }],
    ['os', 'BSD', {}],
  ]
  for (const [type, raw_description, expected] of cases)
    assert.deepEqual(eventOf({ contexts: { x: { type, raw_description } } }).contexts?.x, {
      type,
      raw_description,
      ...expected,
    })
})
