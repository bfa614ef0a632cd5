import assert from 'node:assert/strict'
import { test } from 'node:test'
import * as fc from 'fast-check'
import { DEFAULT_PARSE_LIMITS, parseEventJson } from '../../src/normalize/index.ts'

const bytes = (text: string) => new TextEncoder().encode(text)

function valueOf(text: string | Uint8Array): unknown {
  const result = parseEventJson(typeof text === 'string' ? bytes(text) : text)
  assert.ok(result.ok, JSON.stringify(result))
  return result.value
}

test('JSON that JavaScript can write is read as JavaScript reads it', () => {
  fc.assert(
    fc.property(fc.jsonValue({ maxDepth: 6 }), (value) => {
      const text = JSON.stringify(value)
      if (text.includes('__proto__') || text.includes('\\u0000')) return
      assert.deepEqual(valueOf(text), JSON.parse(text))
    }),
  )
})

test('any bytes give a value or a reason, never an exception', () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 300 }), (input) => {
      const result = parseEventJson(input)
      assert.equal(typeof result.ok, 'boolean')
    }),
  )
})

test('invalid UTF-8 is replaced and a byte order mark is skipped', () => {
  assert.deepEqual(valueOf(Uint8Array.from([0x22, 0xff, 0x61, 0x22])), '\ufffda')
  assert.deepEqual(valueOf(Uint8Array.from([0xef, 0xbb, 0xbf, 0x7b, 0x7d])), {})
})

test('NaN and infinities, as Python writes them, become text, but not inside strings', () => {
  assert.deepEqual(valueOf('{"a": NaN, "b": [Infinity, -Infinity, -1], "c": "NaN \\" Infinity"}'), {
    a: 'NaN',
    b: ['Infinity', '-Infinity', -1],
    c: 'NaN " Infinity',
  })
})

test('raw control characters inside strings are accepted', () => {
  assert.deepEqual(valueOf('{"a": "x\ny\tz\0"}'), { a: 'x\ny\tz' })
})

test('NUL is removed and half a surrogate pair replaced, in keys and values', () => {
  assert.deepEqual(valueOf('{"a\\u0000b": ["x\\u0000", "\\ud800", "\\uDE00z", "\\ud83d\\ude00"]}'), {
    ab: ['x', '\ufffd', '\ufffdz', '😀'],
  })
})

test('integers beyond 2^53 keep their digits as text', () => {
  assert.deepEqual(
    valueOf('{"id": 12345678901234567890, "neg": -9007199254740993, "ok": 1700000000.123456}'),
    {
      id: '12345678901234567890',
      neg: '-9007199254740993',
      ok: 1700000000.123456,
    },
  )
})

test('a __proto__ key reaches no prototype', () => {
  const value = valueOf('{"__proto__": {"admin": true}, "x\\u0000": 1}') as Record<string, unknown>
  assert.equal(value.admin, undefined)
  assert.equal(({} as Record<string, unknown>).admin, undefined)
})

test('10,000 levels are cut so that the rest of the event stays', () => {
  for (const [open, close] of [
    ['[', ']'],
    ['{"a":', '}'],
  ] as const) {
    const deep = `{"message":"kept","extra":${open.repeat(10_000)}"}{\\"["${close.repeat(10_000)},"level":"info"}`
    const result = parseEventJson(bytes(deep))
    assert.ok(result.ok)
    assert.deepEqual(result.notes, ['depth_cut'])
    const { message, level } = result.value as Record<string, unknown>
    assert.deepEqual({ message, level }, { message: 'kept', level: 'info' })
  }
})

test('a megabyte of opening brackets is refused quickly', () => {
  const started = performance.now()
  const result = parseEventJson(bytes('['.repeat(1_000_000)))
  assert.equal(result.ok, false)
  assert.ok(performance.now() - started < 500)
})

test('what cannot be read has a reason', () => {
  const cases: [string, string][] = [
    ['', 'empty'],
    ['  \n', 'empty'],
    ['{"a": 1', 'invalid_json'],
    ['undefined', 'invalid_json'],
    ['{"a": nul}', 'invalid_json'],
  ]
  for (const [text, reason] of cases) {
    const result = parseEventJson(bytes(text))
    assert.equal(result.ok ? 'ok' : result.reason, reason, text)
  }
  const large = parseEventJson(bytes('[1,2,3]'), { ...DEFAULT_PARSE_LIMITS, maxBytes: 3 })
  assert.equal(large.ok ? 'ok' : large.reason, 'too_large')
})
