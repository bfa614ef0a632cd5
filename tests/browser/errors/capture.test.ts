import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { Browser } from 'playwright-core'
import { launchChromium } from '../../e2e/chromium.ts'
import { openPage } from '../harness/open-page.ts'
import type { Payload, RecordedItem } from '../harness/recorded.ts'
import { reporterPage } from '../harness/reporter-page.ts'
import { startSite } from '../harness/site.ts'

/** Events as `Type: value`, with the exception that was thrown; requests overtake each other, so in order of the text. */
const byText = (items: readonly RecordedItem[]): [text: string, thrown: Payload, payload: Payload][] =>
  items
    .map(({ payload }): [string, Payload, Payload] => {
      const thrown = payload.exception.values.at(-1)
      return [`${thrown.type}: ${thrown.value}`, thrown, payload]
    })
    .toSorted(([one], [two]) => (one < two ? -1 : 1))

let browser: Browser
before(async () => {
  browser = await launchChromium()
})
after(() => browser.close())

test('an uncaught error arrives with its stack, release and environment', async () => {
  await using tab = await reporterPage(browser)
  await tab.page.evaluate(() => {
    setTimeout(function pay() {
      throw new TypeError('no card')
    })
  })
  const [item] = await tab.site.waitForItems('event')
  const event = item?.payload
  assert.equal(event.release, 'shop@1.2.3')
  assert.equal(event.environment, 'test')
  assert.equal(event.level, 'error')
  assert.equal(event.request.url, `${tab.site.url}/`)
  assert.match(event.request.headers['User-Agent'], /Chrome/)
  assert.deepEqual(event.sdk.settings, { infer_ip: 'never' })
  const [exception] = event.exception.values
  assert.equal(exception.type, 'TypeError')
  assert.equal(exception.value, 'no card')
  assert.deepEqual(exception.mechanism, {
    type: 'auto.browser.global_handlers.onerror',
    handled: false,
    exception_id: 0,
  })
  assert.equal(exception.stacktrace.frames.at(-1).function, 'pay')
})

test('an unhandled rejection arrives, whatever it was rejected with', async () => {
  await using tab = await reporterPage(browser)
  await tab.page.evaluate(() => {
    void Promise.reject(new RangeError('too far'))
    void Promise.reject('just text')
    void Promise.reject(null)
    void Promise.reject({ code: 7, why: 'object' })
    void Promise.reject(new DOMException('gone', 'AbortError'))
  })
  const events = byText(await tab.site.waitForItems('event', 5))
  assert.deepEqual(
    events.map(([text]) => text),
    ['AbortError: gone', 'Error: just text', 'Error: null', 'Object: keys: code,why', 'RangeError: too far'],
  )
  assert.ok(events.every(([, { mechanism }]) => mechanism.type.endsWith('onunhandledrejection')))
  assert.equal(events[1]?.[1].mechanism.synthetic, true)
  assert.deepEqual(events[3]?.[2].extra.thrown, { code: 7, why: 'object' })
})

test('what is no error has the place where it was captured', async () => {
  await using tab = await reporterPage(browser)
  await tab.page.evaluate(async () => {
    const response = await fetch('/missing')
    ;(function checkout() {
      sonde.captureException('a string')
      sonde.captureException(response)
      sonde.captureException(
        new ErrorEvent('error', { message: 'from a listener', filename: 'https://x/a.js', lineno: 3 }),
      )
      sonde.captureException(new Event('stalled'))
      sonde.captureException(Symbol('odd'))
      sonde.captureException(undefined)
    })()
  })
  const events = byText(await tab.site.waitForItems('event', 6))
  assert.deepEqual(
    events.map(([text]) => text),
    [
      'Error: Symbol(odd)',
      'Error: a string',
      'Error: from a listener',
      'Error: undefined',
      'Event: stalled',
      `Response: 200 ${tab.site.url}/missing`,
    ],
  )
  assert.equal(events[1]?.[1].stacktrace.frames.at(-1).function, 'checkout')
  assert.equal(events[2]?.[1].stacktrace.frames[0].filename, 'https://x/a.js')
})

test('causes and the errors of an AggregateError come before what was thrown, each with its parent', async () => {
  await using tab = await reporterPage(browser)
  await tab.page.evaluate(() => {
    const root = new Error('disk')
    const cyclic = new Error('cyclic', { cause: root })
    Object.assign(root, { cause: cyclic })
    sonde.captureException(new AggregateError([new TypeError('first'), cyclic], 'several'))
  })
  const [item] = await tab.site.waitForItems('event')
  const values = item?.payload.exception.values
  assert.deepEqual(
    values.map(({ value }: { value: string }) => value),
    ['disk', 'cyclic', 'first', 'several'],
  )
  assert.deepEqual(
    values.map(({ mechanism: m }: { mechanism: Record<string, unknown> }) => [
      m['exception_id'],
      m['parent_id'],
      m['source'],
      m['is_exception_group'],
    ]),
    [
      [3, 2, 'cause', undefined],
      [2, 0, 'errors[1]', undefined],
      [1, 0, 'errors[0]', undefined],
      [0, undefined, undefined, true],
    ],
  )
})

test('scope and the context of one capture go with it, and the id is the last one', async () => {
  await using tab = await reporterPage(browser)
  const ids = await tab.page.evaluate(() => {
    sonde.setUser({ id: '7' })
    sonde.setTags({ plan: 'pro', build: 3 })
    sonde.setContext('cart', { items: 2 })
    sonde.setExtra('raw', { deep: { deeper: { deepest: { end: 1 } } } })
    const first = sonde.captureMessage('hello', {
      level: 'warning',
      tags: { plan: 'free' },
      fingerprint: ['a'],
    })
    const last = sonde.lastEventId()
    return sonde.flush().then(() => {
      sonde.setUser(null)
      sonde.setContext('cart', null)
      sonde.captureMessage('again')
      return [first, last]
    })
  })
  const [one, two] = (await tab.site.waitForItems('event', 2)).map(({ payload }) => payload)
  assert.equal(one.message, 'hello')
  assert.equal(one.level, 'warning')
  assert.deepEqual(one.tags, { plan: 'free', build: 3 })
  assert.deepEqual(one.user, { id: '7' })
  assert.deepEqual(one.contexts.cart, { items: 2 })
  assert.deepEqual(one.extra.raw, { deep: { deeper: { deepest: '[Object]' } } })
  assert.deepEqual(one.fingerprint, ['a'])
  assert.deepEqual(ids, [one.event_id, one.event_id])
  assert.equal(two.user, null)
  assert.equal(two.contexts.cart, undefined)
  assert.equal(two.level, 'info')
  assert.deepEqual(two.tags, { plan: 'pro', build: 3 })
})

test('values that bite do not stop a report', async () => {
  await using tab = await reporterPage(browser)
  await tab.page.evaluate(() => {
    const cycle: Record<string, unknown> = { name: 'cycle' }
    cycle['self'] = cycle
    sonde.setExtra('odd', {
      cycle,
      node: Object.assign(document.createElement('button'), { id: 'pay' }),
      big: 10n,
      symbol: Symbol('s'),
      run() {},
      map: new Map([['a', 1]]),
      set: new Set([1]),
      date: new Date(0),
      nan: NaN,
      error: new TypeError('inner'),
      long: 'x'.repeat(1_000_000),
      wide: Array.from({ length: 100_000 }, (_, n) => n),
      get bites() {
        throw new Error('getter')
      },
      proxy: new Proxy(
        {},
        {
          ownKeys() {
            throw new Error('proxy')
          },
        },
      ),
    })
    sonde.captureMessage('odd')
  })
  const [item] = await tab.site.waitForItems('event')
  const odd = item?.payload.extra.odd
  assert.deepEqual(odd.cycle, { name: 'cycle', self: '[circular]' })
  assert.equal(odd.node, 'button#pay')
  assert.equal(odd.big, '10')
  assert.equal(odd.symbol, 'Symbol(s)')
  assert.equal(odd.run, '[function run]')
  assert.deepEqual(odd.map, [['a', 1]])
  assert.deepEqual(odd.set, [1])
  assert.equal(odd.date, '1970-01-01T00:00:00.000Z')
  assert.equal(odd.nan, 'NaN')
  assert.equal(odd.error, 'TypeError: inner')
  assert.equal(odd.long.length, 4097)
  assert.equal(odd.wide.length, 100)
  assert.equal(odd.bites, '[unreadable]')
  assert.equal(odd.proxy, '[unreadable]')
})

test('a thrown value that bites does not throw into the page and is counted', async () => {
  await using tab = await reporterPage(browser)
  await tab.page.evaluate(() => {
    sonde.captureException({
      get message() {
        throw new Error('no')
      },
    })
    return sonde.flush(5000)
  })
  const [report] = await tab.site.waitForItems('client_report')
  assert.deepEqual(report?.payload.discarded_events, [
    { reason: 'internal_sdk_error', category: 'error', quantity: 1 },
  ])
  assert.deepEqual(tab.complaints, [])
})

test('the debug ids of files in the stack are sent', async () => {
  await using tab = await reporterPage(browser)
  await tab.page.evaluate(() => {
    const register = new Error().stack ?? ''
    Object.assign(window, {
      _sentryDebugIds: { [`Error\n    at https://shop.example/other.js:1:1`]: 'not-used' },
      _debugIds: { [register]: 'c0ffee00-0000-4000-8000-000000000001' },
    })
    sonde.captureException(new Error('x'))
  })
  const [item] = await tab.site.waitForItems('event')
  const frames = item?.payload.exception.values[0].stacktrace.frames
  assert.deepEqual(item?.payload.debug_meta.images, [
    {
      type: 'sourcemap',
      code_file: frames.at(-1).filename,
      debug_id: 'c0ffee00-0000-4000-8000-000000000001',
    },
  ])
})

test('the same error twice, and one that equals the one before, is one event; the loss is counted', async () => {
  await using tab = await reporterPage(browser)
  await tab.page.evaluate(() => {
    const error = new Error('once')
    sonde.captureException(error)
    sonde.captureException(error)
    for (let n = 0; n < 3; n++) sonde.captureException(new Error('loop'))
    sonde.captureException(new Error('other'))
    return sonde.flush(5000)
  })
  const [report] = await tab.site.waitForItems('client_report')
  assert.deepEqual(
    byText(tab.site.items('event')).map(([text]) => text),
    ['Error: loop', 'Error: once', 'Error: other'],
  )
  assert.deepEqual(report?.payload.discarded_events, [
    { reason: 'event_processor', category: 'error', quantity: 2 },
  ])
})

test('options decide what is sent, and what is not is counted with its reason', async () => {
  await using tab = await reporterPage(
    browser,
    `ignoreErrors: ['chatty', /^RangeError/], denyUrls: [/denied/], allowUrls: ['127.0.0.1', 'allowed'],
     beforeSend: (event) => event.message === 'secret' ? null : { ...event, tags: { seen: 'yes' } }`,
  )
  await tab.page.evaluate(() => {
    const from = (file: string, name = 'x'): Error =>
      Object.assign(new Error(name), { stack: `Error: x\n    at f (https://cdn.example/${file}.js:1:1)` })
    sonde.captureException(new Error('so chatty'))
    sonde.captureException(new RangeError('any'))
    sonde.captureException(from('denied'))
    sonde.captureException(from('elsewhere'))
    sonde.captureException(new Error('Script error.'))
    sonde.captureMessage('secret')
    sonde.captureException(from('allowed', 'kept'))
    return sonde.flush(5000)
  })
  const [report] = await tab.site.waitForItems('client_report')
  const events = tab.site.items('event')
  assert.deepEqual(
    events.map(({ payload }) => [payload.exception.values[0].value, payload.tags]),
    [['kept', { seen: 'yes' }]],
  )
  assert.deepEqual(report?.payload.discarded_events, [
    { reason: 'event_processor', category: 'error', quantity: 5 },
    { reason: 'before_send', category: 'error', quantity: 1 },
  ])
})

test('a sample rate of zero sends no errors but what was left out', async () => {
  await using tab = await reporterPage(browser, 'sampleRate: 0')
  await tab.page.evaluate(() => {
    sonde.captureMessage('a')
    sonde.captureMessage('b')
    return sonde.flush(5000)
  })
  const [report] = await tab.site.waitForItems('client_report')
  assert.deepEqual(report?.payload.discarded_events, [
    { reason: 'sample_rate', category: 'error', quantity: 2 },
  ])
  assert.equal(tab.site.items('event').length, 0)
})

test('a beforeSend that throws costs the event, not the page', async () => {
  await using tab = await reporterPage(browser, `beforeSend: () => { throw new Error('mine') }`)
  const id = await tab.page.evaluate(() => sonde.captureMessage('a'))
  assert.equal(id, undefined)
  assert.deepEqual(tab.complaints, [])
})

test('after close nothing is sent, and before init calls do nothing', async () => {
  await using site = await startSite({
    script: `import * as sonde from '@sonde/browser'; Object.assign(window, { sonde })`,
  })
  await using tab = await openPage(browser)
  await tab.page.goto(site.url)
  const early = await tab.page.evaluate((dsn) => {
    const before = [
      sonde.captureException(new Error('early')),
      sonde.captureMessage('early'),
      sonde.lastEventId(),
    ]
    sonde.addBreadcrumb({ message: 'early' })
    sonde.setTag('a', 1)
    const wrong = sonde.init({ dsn: 'nonsense' })
    sonde.init({ dsn, tunnel: '/monitoring' })
    sonde.captureMessage('between')
    return sonde.close(5000).then(() => [...before, wrong, sonde.captureMessage('late')])
  }, site.dsn)
  assert.ok(early.every((value) => value === undefined))
  assert.match(tab.complaints.join(), /not a DSN/)
  assert.deepEqual(
    (await site.waitForItems('event')).map(({ payload }) => payload.message),
    ['between'],
  )
})

test('importing the package does nothing', async () => {
  const script = `
const before = Object.getOwnPropertyNames(window)
const add = EventTarget.prototype.addEventListener
const calls = []
EventTarget.prototype.addEventListener = function (...args) { calls.push(args[0]); return add.apply(this, args) }
const functions = [fetch, history.pushState, XMLHttpRequest.prototype.open, console.log]
void import('@sonde/browser').then((module) => {
  const after = Object.getOwnPropertyNames(window).filter((name) => !before.includes(name))
  const same = [fetch, history.pushState, XMLHttpRequest.prototype.open, console.log].every((f, n) => f === functions[n])
  Object.assign(window, { result: { after, calls: [...calls], same, exports: Object.keys(module).length } })
})`
  await using site = await startSite({ script })
  await using tab = await openPage(browser)
  await tab.page.goto(site.url)
  const result = await tab.page.waitForFunction(() => (window as { result?: unknown }).result)
  const { exports, ...rest } = (await result.jsonValue()) as { exports: number }
  assert.ok(exports > 10)
  assert.deepEqual(rest, { after: [], calls: [], same: true })
  assert.equal(site.attempts(), 0)
})

test('a page under a strict Content-Security-Policy can use it', async () => {
  await using tab = await reporterPage(browser, 'features: [sonde.breadcrumbs(), sonde.offlineQueue()]', {
    pageHeaders: {
      'content-security-policy':
        "default-src 'none'; script-src 'self'; connect-src 'self'; img-src data:; require-trusted-types-for 'script'",
    },
  })
  await tab.page.evaluate(() => sonde.captureMessage('under CSP'))
  await tab.site.waitForItems('event')
  assert.deepEqual(tab.complaints, [])
})

test('what a beforeSend leaves behind and cannot be written costs the event, not the page', async () => {
  await using tab = await reporterPage(browser, `beforeSend: (event) => ({ ...event, extra: { big: 1n } })`)
  await tab.page.evaluate(() => {
    sonde.captureMessage('a')
    return sonde.flush(5000)
  })
  const [report] = await tab.site.waitForItems('client_report')
  assert.deepEqual(report?.payload.discarded_events, [
    { reason: 'internal_sdk_error', category: 'error', quantity: 1 },
  ])
  assert.deepEqual(tab.complaints, [])
})
