import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  EnvelopeError,
  type EnvelopeErrorCode,
  parseEnvelope,
  readEnvelopeHeader,
  serializeEnvelope,
} from '@sonde/protocol/envelope'

const bytes = (text: string) => new TextEncoder().encode(text)
const text = (payload: Uint8Array) => new TextDecoder('utf-8', { ignoreBOM: true }).decode(payload)

function itemsOf(body: string): [string, string][] {
  return parseEnvelope(bytes(body)).items.map((item) => [item.header.type, text(item.payload)])
}

const GOOD: readonly [name: string, body: string, items: [string, string][]][] = [
  ['an envelope may be only its header', '{}', []],
  ['a newline after the header changes nothing', '{}\n', []],
  ['blank lines at the end are skipped', '{}\n\n\n', []],
  ['a payload without length runs to the end of the body', '{}\n{"type":"a"}\nhello', [['a', 'hello']]],
  [
    'a payload without length ends at the newline',
    '{}\n{"type":"a"}\nhello\n{"type":"b"}\nx\n',
    [
      ['a', 'hello'],
      ['b', 'x'],
    ],
  ],
  ['a null length is no length', '{}\n{"type":"a","length":null}\nhello\n', [['a', 'hello']]],
  [
    'an empty payload without length is one empty line',
    '{}\n{"type":"a"}\n\n{"type":"b"}\nx',
    [
      ['a', ''],
      ['b', 'x'],
    ],
  ],
  [
    'length 0 is followed by the separating newline',
    '{}\n{"type":"a","length":0}\n\n{"type":"b","length":0}\n',
    [
      ['a', ''],
      ['b', ''],
    ],
  ],
  [
    'a payload with length may hold newlines',
    '{}\n{"type":"a","length":5}\n1\n2\n3\n{"type":"b"}\nx',
    [
      ['a', '1\n2\n3'],
      ['b', 'x'],
    ],
  ],
  ['a length counts bytes, not characters', '{}\n{"type":"a","length":3}\n€\n', [['a', '€']]],
  ['an item header at the end of the body has an empty payload', '{}\n{"type":"a"}', [['a', '']]],
  ['so has one with length 0', '{}\n{"type":"a","length":0}', [['a', '']]],
  [
    'blank lines between items are skipped',
    '{}\n\n \t\n{"type":"a","length":1}\n1\n\r\n\n{"type":"b"}\nx',
    [
      ['a', '1'],
      ['b', 'x'],
    ],
  ],
  ['spaces before an item header mean nothing', '{}\n \t {"type":"a"}\nx', [['a', 'x']]],
  ['a carriage return belongs to the payload', '{}\r\n{"type":"a"}\r\nx\r\n', [['a', 'x\r']]],
  ['a byte order mark belongs to the payload', '{}\n{"type":"a"}\n\uFEFFx', [['a', '\uFEFFx']]],
  ['an unknown type is kept', '{}\n{"type":"never heard of"}\nx', [['never heard of', 'x']]],
]

for (const [name, body, items] of GOOD) {
  test(name, () => {
    assert.deepEqual(itemsOf(body), items)
    assert.equal(text(serializeEnvelope(parseEnvelope(bytes(body)))), body, 'serialises to the same bytes')
  })
}

const BAD: readonly [name: string, body: string | Uint8Array, code: EnvelopeErrorCode, offset: number][] = [
  ['an empty body', '', 'bad-header', 0],
  ['a blank first line', '\n{}', 'bad-header', 0],
  ['a header that is no JSON', 'hello\n', 'bad-header', 0],
  ['a header that is a list', '[]\n', 'bad-header', 0],
  ['a header that is null', 'null\n', 'bad-header', 0],
  ['a header with a NUL byte', '{"a":"\0"}\n', 'bad-header', 0],
  ['a header with NaN', '{"a":NaN}\n', 'bad-header', 0],
  ['a header of invalid UTF-8', Uint8Array.of(0x7b, 0x22, 0xff, 0x22, 0x3a, 0x31, 0x7d), 'bad-header', 0],
  ['an item header that is no JSON', '{}\nhello\n', 'bad-item-header', 3],
  ['an item header that is a text', '{}\n"type"\n', 'bad-item-header', 3],
  ['an item header without type', '{}\n{"length":1}\nx', 'missing-type', 3],
  ['an item header whose type is a number', '{}\n{"type":1}\nx', 'missing-type', 3],
  ['an item header whose type is empty', '{}\n{"type":""}\nx', 'missing-type', 3],
  ['a length beyond the end of the body', '{}\n{"type":"a","length":6}\nhello', 'truncated', 3],
  ['a length although nothing follows', '{}\n{"type":"a","length":1}', 'truncated', 3],
  ['a huge length', '{}\n{"type":"a","length":9007199254740991}\nhello', 'truncated', 3],
  ['a length that ends inside the payload', '{}\n{"type":"a","length":4}\nhello\n', 'bad-length', 3],
  ['a length of 0 before a payload', '{}\n{"type":"a","length":0}\nhello\n', 'bad-length', 3],
  ['a negative length', '{}\n{"type":"a","length":-1}\nhello\n', 'bad-length', 3],
  ['a fractional length', '{}\n{"type":"a","length":1.5}\nhello\n', 'bad-length', 3],
  ['a length above the safe integers', '{}\n{"type":"a","length":1e300}\nhello\n', 'bad-length', 3],
  ['a length as text', '{}\n{"type":"a","length":"5"}\nhello\n', 'bad-length', 3],
  ['a header line of 64 KiB and more', `{"a":"${'x'.repeat(65_536)}"}\n`, 'header-too-large', 0],
  [
    'an item header of 64 KiB and more',
    `{}\n{"type":"a","b":"${'x'.repeat(65_536)}"}\n`,
    'header-too-large',
    3,
  ],
  ['a header 10,000 levels deep', `{"a":${'['.repeat(10_000)}${']'.repeat(10_000)}}\n`, 'header-too-deep', 0],
  [
    'an item header 10,000 levels deep',
    `{}\n{"type":"a","b":${'{"c":'.repeat(10_000)}1${'}'.repeat(10_000)}}\n`,
    'header-too-deep',
    3,
  ],
]

for (const [name, body, code, offset] of BAD) {
  test(`${name} is refused as ${code}`, () => {
    assert.throws(
      () => parseEnvelope(typeof body === 'string' ? bytes(body) : body),
      (error) => error instanceof EnvelopeError && error.code === code && error.offset === offset,
    )
  })
}

test('an error says which item, what was claimed and what was there', () => {
  const body = bytes('{}\n{"type":"a"}\nx\n{"type":"b","length":100}\nshort')
  assert.throws(() => parseEnvelope(body), {
    message: '"length" of item 2 says 100 bytes, but 5 follow (at byte 18)',
  })
})

test('one item more than allowed is refused', () => {
  const body = bytes(`{}\n${'{"type":"a"}\nx\n'.repeat(3)}`)
  assert.equal(parseEnvelope(body, { maxItems: 3 }).items.length, 3)
  assert.throws(() => parseEnvelope(body, { maxItems: 2 }), { code: 'too-many-items' })
  const many = bytes(`{}\n${'{"type":"a"}\nx\n'.repeat(1001)}`)
  assert.throws(() => parseEnvelope(many), { code: 'too-many-items' })
})

test('brackets inside strings are no nesting', () => {
  const body = bytes(`{"a":"${'['.repeat(100)}\\"${'{'.repeat(100)}"}`)
  assert.equal(parseEnvelope(body).header['a'], `${'['.repeat(100)}"${'{'.repeat(100)}`)
})

test('__proto__ in headers changes no prototype and is not kept, escaped or not', () => {
  for (const name of ['__proto__', String.raw`\u005f_proto__`]) {
    const body = bytes(
      `{"${name}":{"admin":true},"sdk":{"${name}":1}}\n{"type":"a","${name}":{"admin":true}}\nx`,
    )
    const { header, items } = parseEnvelope(body)
    assert.deepEqual(Object.keys(header), ['sdk'])
    assert.equal((Object.assign({}, header) as { admin?: boolean }).admin, undefined)
    assert.deepEqual(Object.keys(items[0]?.header ?? {}), ['type'])
    assert.deepEqual(serializeEnvelope(parseEnvelope(body)), body)
  }
})

test('payloads and raw headers are views of the body', () => {
  const body = bytes('{}\n{"type":"a"}\nhello\n')
  const [item] = parseEnvelope(body).items
  assert.equal(item?.payload.buffer, body.buffer)
  assert.equal(item?.rawHeader.buffer, body.buffer)
})

test('unknown fields of both headers are kept', () => {
  const { header, items } = parseEnvelope(bytes('{"x":{"y":[1]}}\n{"type":"a","z":null}\n'))
  assert.deepEqual(header, { x: { y: [1] } })
  assert.deepEqual(items[0]?.header, { type: 'a', z: null })
})

test('the header alone is read from the start of a body, within a bound', () => {
  assert.deepEqual(readEnvelopeHeader(bytes('{"dsn":"d"}\n{"type":'), 11).header, { dsn: 'd' })
  assert.throws(() => readEnvelopeHeader(bytes('{"dsn":"d"}\n'), 10), { code: 'header-too-large' })
  assert.throws(() => readEnvelopeHeader(new Uint8Array()), { code: 'bad-header' })
})
