import assert from 'node:assert/strict'
import { test } from 'node:test'
import * as fc from 'fast-check'
import { DEFAULT_SCRUB_SETTINGS, scrubEvent } from '../../src/scrub/index.ts'
import { scrubText } from '../../src/scrub/scrub-text.ts'
import { createKeyRules } from '../../src/scrub/settings.ts'
import { eventOf } from '../normalize/event-of.ts'

const rules = createKeyRules(DEFAULT_SCRUB_SETTINGS)
const once = (text: string) => scrubText(text, rules)?.text ?? text

const PIECES = [
  'token',
  'password',
  '"password"',
  "'secret'",
  'x',
  '=',
  ':',
  ': ',
  '&',
  '"',
  "'",
  '\\',
  '\\"',
  '[Filtered]',
  '[creditcard]',
  '[',
  ']',
  '{',
  '}',
  ',',
  ' ',
  '\n',
  '4111111111111111',
  '4111 1111 1111 1111',
  '123-45-6789',
  '://',
  'a:b@',
  '@',
  'Bearer ',
  'abc12345',
  'eyJaaaaaaaaaa.bbbbbbbbbbb1',
  '-----BEGIN KEY-----',
  '-----END KEY-----',
  'Cookie',
  'authorization',
  'null',
  'true',
  '7',
  '-',
  '.',
  '%',
  'é',
]
const tricky = fc.oneof(
  fc.array(fc.constantFrom(...PIECES), { maxLength: 14 }).map((parts) => parts.join('')),
  fc.string({ unit: 'binary', maxLength: 60 }),
)
const secretKey = fc
  .tuple(
    fc.constantFrom('', 'my_', 'x-', 'user.', 'db '),
    fc.constantFrom(
      'password',
      'passwd',
      'secret',
      'api_key',
      'apiKey',
      'access_token',
      'credentials',
      'private_key',
      'authorization',
      'session_id',
      'auth',
      'csrf_token',
    ),
    fc.constantFrom('', '_value', '-1'),
    fc.boolean(),
  )
  .map(([before, key, after, upper]) =>
    upper ? `${before}${key}${after}`.toUpperCase() : `${before}${key}${after}`,
  )
const SECRET = 'zq8SECRETvalue'
const secretValue = fc.oneof(
  fc.constant(SECRET),
  fc.constant([SECRET, { deep: SECRET }]),
  fc.constant({ any: SECRET, list: [SECRET] }),
)
const path = fc.array(fc.oneof(fc.constantFrom('a', 'config', 'items', 'user'), fc.constant(0)), {
  maxLength: 4,
})

test('scrubbing a text twice is scrubbing it once', () => {
  fc.assert(
    fc.property(tricky, (text) => {
      const first = once(text)
      assert.equal(once(first), first)
    }),
    { numRuns: 3000 },
  )
})

test('scrubbing an event twice is scrubbing it once', () => {
  const bag = fc.dictionary(
    fc.oneof(secretKey, tricky),
    fc.oneof(tricky, fc.integer(), fc.array(tricky, { maxLength: 3 })),
    { maxKeys: 4 },
  )
  fc.assert(
    fc.property(bag, tricky, (extra, message) => {
      const raw = {
        extra,
        message,
        tags: extra,
        contexts: { c: extra },
        request: { data: extra, headers: extra, query_string: message, cookies: message },
        user: extra,
        breadcrumbs: [{ data: extra, message }],
        exception: [{ type: 'E', value: message }],
      }
      const first = scrubEvent(eventOf(raw), DEFAULT_SCRUB_SETTINGS)
      assert.deepEqual(scrubEvent(first, DEFAULT_SCRUB_SETTINGS), first)
    }),
    { numRuns: 300 },
  )
})

test('no secret under a name that promises one survives, wherever it was planted', () => {
  fc.assert(
    fc.property(secretKey, secretValue, path, (key, value, steps) => {
      let planted: unknown = { [key]: value, plain: 'kept' }
      for (const step of steps) planted = step === 0 ? [planted] : { [step]: planted }
      const raw = {
        extra: { planted },
        contexts: { own: { planted } },
        user: { id: '1', planted },
        breadcrumbs: [{ data: { planted } }],
        request: { data: { planted }, env: { planted } },
        exception: [{ type: 'E', stacktrace: { frames: [{ function: 'f', vars: { planted } }] } }],
        own_field: { planted },
      }
      const event = scrubEvent(eventOf(raw), DEFAULT_SCRUB_SETTINGS)
      const json = JSON.stringify(event)
      assert.ok(!json.includes(SECRET), json)
      assert.ok(steps.length > 3 || json.includes('kept'))
    }),
    { numRuns: 400 },
  )
})

test('no secret survives in texts that name it', () => {
  const form = fc.constantFrom<(key: string) => string>(
    (key) => `https://a.example/?x=1&${key}=${SECRET}&y=2`,
    (key) => `x=1&${key}=${SECRET}`,
    (key) => `{"a":1,"${key}":"${SECRET}"}`,
    (key) => `{"a":1,"${key}": ["${SECRET}"`,
    (key) => `{\\"${key}\\": \\"${SECRET}\\"}`,
    (key) => `{'${key}': '${SECRET}'}`,
    (key) => `failed with ${key}="${SECRET}"`,
  )
  fc.assert(
    fc.property(secretKey, form, (rawKey, write) => {
      const text = write(rawKey.replace(' ', '_'))
      const event = scrubEvent(
        eventOf({
          message: text,
          extra: { text },
          breadcrumbs: [{ message: text, data: { url: text } }],
          request: { url: text, data: text, query_string: text },
          exception: [{ type: 'E', value: text }],
        }),
        DEFAULT_SCRUB_SETTINGS,
      )
      assert.ok(!JSON.stringify(event).includes(SECRET), text)
    }),
    { numRuns: 400 },
  )
})

test('text of words stays as it is', () => {
  const word = fc.constantFrom(
    'the',
    'user',
    'opened',
    'Author',
    'page',
    '42',
    'a-b',
    'x.y',
    'ok,',
    'done.',
    '(see',
    'below)',
    'é',
    '日本',
    'GET',
    '/path/1',
    'id=5',
  )
  fc.assert(
    fc.property(fc.array(word, { maxLength: 20 }), (words) => {
      const text = words.join(' ')
      assert.equal(once(text), text)
    }),
  )
})
