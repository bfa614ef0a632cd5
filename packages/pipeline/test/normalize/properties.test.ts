import assert from 'node:assert/strict'
import { test } from 'node:test'
import * as fc from 'fast-check'
import { deriveTags } from '../../src/normalize/index.ts'
import { eventOf } from './event-of.ts'

const FIELDS = [
  'level',
  'platform',
  'timestamp',
  'logger',
  'transaction',
  'release',
  'dist',
  'environment',
  'server_name',
  'site',
  'fingerprint',
  'checksum',
  'tags',
  'extra',
  'modules',
  'logentry',
  'message',
  'exception',
  'stacktrace',
  'threads',
  'breadcrumbs',
  'request',
  'user',
  'contexts',
  'sdk',
  'debug_meta',
  'errors',
  'csp',
  'template',
  'culprit',
  '__proto__',
  'constructor',
  'other',
]
const INNER = [
  'values',
  'frames',
  'type',
  'value',
  'mechanism',
  'stacktrace',
  'vars',
  'data',
  'headers',
  'url',
  'cookies',
  'env',
  'query_string',
  'id',
  'email',
  'ip_address',
  'geo',
  'message',
  'params',
  'formatted',
  'trace',
  'in_app',
  'lineno',
  'function',
  'filename',
  'abs_path',
  'registers',
  'images',
  'name',
  'version',
  '__proto__',
  'x',
]
const text = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 40 }),
  fc.constantFrom('\0', '\ud800', '{{auto}}', '1', 'a=b&c', '{"a":1}', '<b>\u202e</b>'),
)
const leaf = fc.oneof(text, fc.integer(), fc.double(), fc.boolean(), fc.constant(null))
const { value: inner } = fc.letrec((tie) => ({
  value: fc.oneof(
    { maxDepth: 5, withCrossShrink: true },
    leaf,
    fc.array(tie('value'), { maxLength: 4 }),
    fc.dictionary(fc.oneof(fc.constantFrom(...INNER), text), tie('value'), { maxKeys: 5 }),
  ),
}))
const events = fc.dictionary(fc.constantFrom(...FIELDS), inner, { maxKeys: 8 })

test('no event, however odd, makes it throw; what comes out is clean JSON', () => {
  fc.assert(
    fc.property(events, (raw) => {
      const event = eventOf(raw)
      assert.ok(
        !event.errors?.some(({ type }) => type === 'normalization_failed'),
        JSON.stringify(event.errors),
      )
      const json = JSON.stringify(event)
      assert.ok(json.isWellFormed())
      assert.ok(!json.includes('\\u0000') && !/\\ud[89a-f]/.test(json), json)
      assert.equal(typeof deriveTags(event).level, 'string')
    }),
    { numRuns: 600 },
  )
})

test('values that are no JSON do not make it throw either', () => {
  fc.assert(
    fc.property(fc.anything(), fc.constantFrom('event', 'security', 'feedback'), (raw, itemType) => {
      assert.equal(typeof eventOf(raw, { itemType }).derived.title, 'string')
    }),
    { numRuns: 300 },
  )
})

test('a field that throws when read costs its event nothing but itself', () => {
  const hostile = {
    get level(): string {
      throw new Error('no')
    },
  }
  assert.deepEqual(eventOf(hostile).errors, [{ type: 'normalization_failed', value: 'no' }])
})

test('a __proto__ key changes no object', () => {
  const raw = JSON.parse(
    '{"extra":{"__proto__":{"bad":1},"ok":{"__proto__":{"bad":1}}},"contexts":{"__proto__":{"bad":1}},"user":{"__proto__":{"bad":1}},"tags":{"__proto__":"x"},"modules":{"__proto__":"1"}}',
  ) as unknown
  const event = eventOf(raw)
  const walk = (value: unknown): void => {
    if (typeof value !== 'object' || value === null) return
    assert.ok(
      [Object.prototype, Array.prototype, null].includes(Object.getPrototypeOf(value) as object | null),
    )
    assert.ok(!Object.hasOwn(value, '__proto__'))
    Object.values(value).forEach(walk)
  }
  walk(event)
  assert.deepEqual(event.extra, { ok: {} })
})

test('a hostile event stays small and quick', () => {
  const big = 'x'.repeat(1_000_000)
  const raw = {
    message: big,
    release: big,
    tags: Object.fromEntries(Array.from({ length: 5000 }, (_, index) => [`t${index}`, 'v'])),
    exception: Array.from({ length: 500 }, () => ({
      type: big,
      value: big,
      stacktrace: { frames: [{ function: big }] },
    })),
    breadcrumbs: Array.from({ length: 10_000 }, () => ({ message: 'y' })),
    extra: { big },
    request: { url: big, data: big, headers: { a: big }, query_string: `a=${big}`, cookies: big },
    user: { id: big, data: { big } },
    contexts: Object.fromEntries(Array.from({ length: 1000 }, (_, index) => [`c${index}`, { a: 1 }])),
  }
  const started = performance.now()
  const event = eventOf(raw)
  assert.ok(performance.now() - started < 1000)
  assert.ok(JSON.stringify(event).length < 1_000_000)
})
