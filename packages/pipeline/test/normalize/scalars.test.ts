import assert from 'node:assert/strict'
import { test } from 'node:test'
import { remarkOf, eventOf } from './event-of.ts'

test('an empty object is an event', () => {
  const event = eventOf({})
  assert.deepEqual(event, {
    event_id: '9ec79c33ec9942ab8353589fcb2e04dc',
    type: 'default',
    platform: 'other',
    level: 'error',
    timestamp: event.received,
    received: event.received,
    derived: { title: '<unlabeled event>', culprit: '', metadata: { title: '<unlabeled event>' } },
  })
})

test('levels are read as words and as numbers of Python', () => {
  const cases: [unknown, string, boolean][] = [
    ['debug', 'debug', false],
    ['log', 'info', false],
    ['warn', 'warning', false],
    ['WARNING', 'warning', false],
    ['critical', 'fatal', false],
    [10, 'debug', false],
    [20, 'info', false],
    ['30', 'warning', false],
    [40, 'error', false],
    [50, 'fatal', false],
    [null, 'error', false],
    ['loud', 'error', true],
    [35, 'error', true],
    [{}, 'error', true],
  ]
  for (const [level, expected, hasError] of cases) {
    const event = eventOf({ level })
    assert.equal(event.level, expected, String(level))
    assert.equal(event.errors !== undefined, hasError, String(level))
  }
})

test('an unknown platform becomes other, and what was said is kept', () => {
  assert.equal(eventOf({ platform: 'python' }).platform, 'python')
  assert.equal(eventOf({ platform: 'Ruby ' }).platform, 'ruby')
  const event = eventOf({ platform: 'nonsense' })
  assert.equal(event.platform, 'other')
  assert.deepEqual(event.unknown, { platform: 'nonsense' })
})

test('the type follows from what the event holds, not from what it says', () => {
  assert.equal(eventOf({ type: 'default', exception: { values: [{ type: 'E' }] } }).type, 'error')
  assert.equal(eventOf({ type: 'error', message: 'hi' }).type, 'default')
  assert.equal(eventOf({ message: 'hi', exception: { values: [] }, stacktrace: null }).type, 'default')
  assert.equal(eventOf({ stacktrace: { frames: [{ function: 'f' }] } }).type, 'error')
  assert.equal(eventOf({ contexts: {} }, { itemType: 'feedback' }).type, 'feedback')
})

test('release, dist and environment are taken only where they can be part of a URL', () => {
  const cases: [object, object][] = [
    [{ release: ' app@1.2.3 ' }, { release: 'app@1.2.3' }],
    [{ release: 12 }, { release: '12' }],
    [{ release: 'a/b' }, {}],
    [{ release: '..' }, {}],
    [{ release: 'x'.repeat(201) }, {}],
    [
      { release: '1', dist: '4.2_a-b' },
      { release: '1', dist: '4.2_a-b' },
    ],
    [{ release: '1', dist: 'a b' }, { release: '1' }],
    [{ dist: '7' }, {}],
    [{ environment: 'production' }, { environment: 'production' }],
    [{ environment: 'None' }, {}],
    [{ environment: 'a/b' }, {}],
    [{ tags: { environment: 'staging' } }, { environment: 'staging' }],
    [{ environment: 'prod', tags: [['environment', 'staging']] }, { environment: 'prod' }],
  ]
  for (const [raw, expected] of cases) {
    const { release, dist, environment } = eventOf(raw)
    const found = Object.fromEntries(
      Object.entries({ release, dist, environment }).filter(([, value]) => value !== undefined),
    )
    assert.deepEqual(found, expected, JSON.stringify(raw))
  }
  assert.deepEqual(eventOf({ release: 'a\nb' }).errors, [
    { type: 'invalid_data', name: 'release', value: 'a\nb' },
  ])
})

test('a fingerprint may be a list, one value, and mixed', () => {
  const cases: [unknown, unknown][] = [
    [
      ['{{ default }}', 'x'],
      ['{{ default }}', 'x'],
    ],
    ['one', ['one']],
    [
      [1, true, 2.5, 3.0, null, 'a'],
      ['1', 'True', '3', 'a'],
    ],
    [[], undefined],
    [null, undefined],
    [[{}], undefined],
  ]
  for (const [raw, expected] of cases)
    assert.deepEqual(eventOf({ fingerprint: raw }).fingerprint, expected, JSON.stringify(raw))
})

test('names that are too long are cut with dots and a remark of their length', () => {
  const event = eventOf({ logger: 'l'.repeat(70), transaction: 't'.repeat(200) })
  assert.equal(event.logger, `${'l'.repeat(61)}...`)
  assert.equal(event.transaction, 't'.repeat(200))
  assert.deepEqual(remarkOf(event, 'logger'), {
    remarks: [{ rule: '!limit', kind: 'trimmed' }],
    originalLength: 70,
  })
  assert.equal(remarkOf(event, 'transaction'), undefined)
})

test('a cut never leaves half a character', () => {
  const event = eventOf({ logger: '😀'.repeat(40) })
  assert.ok(event.logger?.isWellFormed())
})

test('modules, errors of the SDK and unknown fields are kept', () => {
  const event = eventOf({
    modules: { django: '4.2', odd: 5 },
    errors: [{ type: 'js_no_source', url: 'x', value: { a: 1 } }, 'nonsense'],
    main_exception_id: 3,
    template: { filename: 'a.html', lineno: 4 },
  })
  assert.deepEqual(event.modules, { django: '4.2', odd: '5' })
  assert.deepEqual(event.errors, [{ type: 'js_no_source', value: { a: 1 } }])
  assert.deepEqual(event.unknown, { main_exception_id: 3, template: { filename: 'a.html', lineno: 4 } })
})

test('the SDK is read, or taken from the authentication', () => {
  const sdk = {
    name: 'sentry.go',
    version: '1',
    integrations: ['a'],
    packages: [{ name: 'p', version: '2' }],
  }
  assert.deepEqual(eventOf({ sdk: { ...sdk, settings: { infer_ip: 'auto' }, features: [] } }).sdk, {
    ...sdk,
    settings: { infer_ip: 'auto' },
  })
  assert.deepEqual(eventOf({}, { sdkClient: 'raven-js/3.2.1' }).sdk, { name: 'raven-js', version: '3.2.1' })
})
