import assert from 'node:assert/strict'
import { test } from 'node:test'
import { userKeyOf } from '../../src/normalize/index.ts'
import { eventOf } from './event-of.ts'

test('a user’s unknown fields move to data, and invalid ones are told', () => {
  const event = eventOf({
    user: {
      id: 5,
      email: 'nobody',
      ip_address: 'localhost',
      name: 'N',
      segment: 's',
      plan: 'pro',
      data: { a: 1 },
      x: null,
    },
  })
  assert.deepEqual(event.user, { id: '5', name: 'N', data: { segment: 's', plan: 'pro', a: 1 } })
  assert.deepEqual(
    event.errors?.map(({ name, value }) => [name, value]),
    [
      ['user.email', 'nobody'],
      ['user.ip_address', 'localhost'],
    ],
  )
})

test('a user is known by id, then name, e-mail, address', () => {
  assert.equal(userKeyOf({ id: '1', username: 'u', email: 'e@x', ip_address: '::1' }), 'id:1')
  assert.equal(userKeyOf({ username: 'u', email: 'e@x' }), 'username:u')
  assert.equal(userKeyOf({ email: 'e@x', ip_address: '::1' }), 'email:e@x')
  assert.equal(userKeyOf({ ip_address: '::1' }), 'ip:::1')
  assert.equal(userKeyOf({ name: 'N' }), undefined)
  assert.equal(userKeyOf(undefined), undefined)
})

test('whose address an event gets', () => {
  const clientIp = '203.0.113.9'
  const never = { name: 's', settings: { infer_ip: 'never' } }
  const auto = { name: 's', settings: { infer_ip: 'auto' } }
  const cases: [object, string | undefined][] = [
    [{ platform: 'python' }, undefined],
    [{ platform: 'javascript' }, clientIp],
    [{ platform: 'cocoa' }, clientIp],
    [{ platform: 'javascript', sdk: never }, undefined],
    [{ platform: 'python', sdk: auto }, clientIp],
    [{ platform: 'python', user: { ip_address: '{{auto}}' } }, clientIp],
    [{ platform: 'javascript', sdk: never, user: { ip_address: '{{auto}}' } }, clientIp],
    [{ platform: 'python', request: { env: { REMOTE_ADDR: '{{auto}}' } } }, clientIp],
    [{ platform: 'python', request: { env: { REMOTE_ADDR: '198.51.100.1' } } }, '198.51.100.1'],
    [{ platform: 'javascript', user: { ip_address: '2001:db8::1' } }, '2001:db8::1'],
  ]
  for (const [raw, expected] of cases)
    assert.equal(eventOf(raw, { clientIp }).user?.ip_address, expected, JSON.stringify(raw))
  assert.equal(eventOf({ user: { ip_address: '{{auto}}' } }).user, undefined)
})

test('a request’s URL gives its query and fragment away', () => {
  const event = eventOf({ request: { url: 'https://a.example/p?b=2&a=1%20x#top', method: 'get' } })
  assert.deepEqual(event.request, {
    url: 'https://a.example/p',
    method: 'GET',
    query_string: [
      ['b', '2'],
      ['a', '1 x'],
    ],
    fragment: 'top',
  })
})

test('query, cookies and headers come as text, map, pairs and lists', () => {
  for (const query_string of [
    'a=1&b=',
    '?a=1&b',
    { a: 1, b: null },
    [
      ['a', '1'],
      ['b', ''],
    ],
  ])
    assert.deepEqual(eventOf({ request: { query_string } }).request?.query_string, [
      ['a', '1'],
      ['b', ''],
    ])
  for (const cookies of [
    's=1; t=2',
    { s: '1', t: 2 },
    [
      ['s', '1'],
      ['t', '2'],
    ],
  ])
    assert.deepEqual(eventOf({ request: { cookies } }).request?.cookies, [
      ['s', '1'],
      ['t', '2'],
    ])
  for (const headers of [
    { 'content-type': ['text/html', 'x'], HOST: 'h' },
    [
      ['content-type', 'text/html, x'],
      ['host', 'h'],
    ],
  ])
    assert.deepEqual(eventOf({ request: { headers } }).request?.headers, [
      ['Content-Type', 'text/html, x'],
      ['Host', 'h'],
    ])
})

test('a Cookie header is read into cookies', () => {
  const { request } = eventOf({ request: { headers: { Cookie: 'a=1; b=2', Accept: '*/*' } } })
  assert.deepEqual(request?.cookies, [
    ['a', '1'],
    ['b', '2'],
  ])
  assert.deepEqual(request?.headers, [['Accept', '*/*']])
})

test('a body is parsed where its shape is clear', () => {
  const cases: [unknown, unknown, string | undefined][] = [
    ['{"a": [1]}', { a: [1] }, 'application/json'],
    ['a=1&b=x%20y&a=2', { a: ['1', '2'], b: 'x y' }, 'application/x-www-form-urlencoded'],
    ['just = words, really', 'just = words, really', undefined],
    ['{"cut": ', '{"cut": ', undefined],
    [{ a: 1 }, { a: 1 }, 'application/json'],
    ['__proto__=1&ok=2', { ok: '2' }, 'application/x-www-form-urlencoded'],
  ]
  for (const [data, expected, contentType] of cases) {
    const { request } = eventOf({ request: { data } })
    assert.deepEqual(request?.data, expected)
    assert.equal(request?.inferred_content_type, contentType)
  }
})
