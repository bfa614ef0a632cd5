import assert from 'node:assert/strict'
import { test } from 'node:test'
import { deriveTags } from '../../src/normalize/index.ts'
import { remarkOf, eventOf } from './event-of.ts'

test('tags come as map, as pairs and as objects', () => {
  const expected = [
    ['a', '1'],
    ['b', 'True'],
  ]
  for (const tags of [
    { a: 1, b: true, c: null },
    [
      ['a', 1],
      ['b', true],
      ['c', ''],
      ['b', 'second'],
    ],
    [
      { key: 'a', value: '1' },
      { key: 'b', value: 'True' },
    ],
  ])
    assert.deepEqual(eventOf({ tags }).tags, expected)
})

test('keys have their spaces replaced; other characters are refused', () => {
  const event = eventOf({ tags: { 'my key': 'x', 'a.b-c:d_1': 'y', é: 'z' } })
  assert.deepEqual(event.tags, [
    ['my-key', 'x'],
    ['a.b-c:d_1', 'y'],
  ])
  assert.equal(event.errors?.[0]?.name, 'tags.é')
})

test('a value that is too long or has lines is left out, not cut', () => {
  const event = eventOf({ tags: { long: 'x'.repeat(201), lines: 'a\nb', max: 'y'.repeat(200), object: {} } })
  assert.deepEqual(event.tags, [['max', 'y'.repeat(200)]])
  assert.equal(remarkOf(event, 'tags.long')?.originalLength, 201)
  assert.deepEqual(
    event.errors?.map(({ type, name }) => [type, name]),
    [
      ['value_too_long', 'tags.long'],
      ['invalid_data', 'tags.lines'],
      ['invalid_data', 'tags.object'],
    ],
  )
})

test('reserved names are not taken, and site becomes a tag', () => {
  const event = eventOf({
    site: 'shop',
    tags: { release: '1', user: 'x', function: 'f', filename: 'g', ok: '1' },
  })
  assert.deepEqual(event.tags, [
    ['ok', '1'],
    ['site', 'shop'],
  ])
  assert.equal(event.release, undefined)
})

test('derived tags say what the fields say, without the ids of its trace, and the SDK has the last word', () => {
  const event = eventOf({
    level: 'warning',
    logger: 'app',
    environment: 'prod',
    release: 'a@1',
    dist: '2',
    transaction: '/x',
    server_name: 'web-1',
    user: { id: 7 },
    request: { url: 'https://a.example/p?q=1' },
    sdk: { name: 'sentry.python', version: '2' },
    exception: [{ type: 'E', mechanism: { type: 'django', handled: false } }],
    contexts: {
      os: { name: 'Linux', version: '6\n' },
      runtime: { name: 'CPython', version: '3.12' },
      browser: { name: 'Firefox', version: '140.0' },
      device: { model: 'iPhone15,2', family: 'iPhone' },
      trace: { trace_id: 'a'.repeat(32), span_id: 'b'.repeat(16) },
      'server-os': { type: 'os', name: 'BSD' },
      replay: { replay_id: 'c' },
    },
    tags: { logger: 'mine', own: 'yes' },
  })
  assert.deepEqual(
    { ...deriveTags(event) },
    {
      logger: 'mine',
      own: 'yes',
      level: 'warning',
      environment: 'prod',
      release: 'a@1',
      dist: '2',
      user: 'id:7',
      url: 'https://a.example/p',
      transaction: '/x',
      server_name: 'web-1',
      mechanism: 'django',
      handled: 'no',
      'sdk.name': 'sentry.python',
      os: 'Linux 6',
      'os.name': 'Linux',
      runtime: 'CPython 3.12',
      'runtime.name': 'CPython',
      browser: 'Firefox 140.0',
      'browser.name': 'Firefox',
      device: 'iPhone15,2',
      'device.family': 'iPhone',
      'server-os.name': 'BSD',
      replayId: 'c',
    },
  )
})
