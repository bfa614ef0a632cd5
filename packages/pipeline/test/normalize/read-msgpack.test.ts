import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Encoder, encode } from '@msgpack/msgpack'
import { readMsgpack } from '../../src/normalize/read-msgpack.ts'

const nested = (depth: number): unknown => (depth === 0 ? 'x' : [nested(depth - 1)])

test('values behind one another are read, of every type and length', () => {
  const values = [
    null,
    true,
    1,
    -1,
    200,
    70_000,
    -70_000,
    2 ** 40,
    0.5,
    '',
    'b'.repeat(40),
    'c'.repeat(300),
    'd'.repeat(70_000),
    [],
    Array.from({ length: 20 }, (_, index) => index),
    Array.from({ length: 9_000 }, () => 'e'),
    {},
    Object.fromEntries(Array.from({ length: 20 }, (_, index) => [`k${index}`, [index, { deep: true }]])),
    Buffer.alloc(3),
    Buffer.alloc(300),
    Buffer.alloc(70_000),
    new Date(1_700_000_000_000),
    new Date(1_700_000_000_123),
  ]
  const bytes = Buffer.concat(values.map((value) => encode(value)))
  assert.deepEqual(readMsgpack(bytes), values)
})

test('single floats and the largest whole numbers are read', () => {
  assert.deepEqual(readMsgpack(new Encoder({ forceFloat32: true }).encode(0.25)), [0.25])
  assert.deepEqual(readMsgpack(new Encoder({ useBigInt64: true }).encode(2n ** 40n)), [2 ** 40])
})

test('what is cut, is no MessagePack or states too much is nothing', () => {
  const whole = encode({ message: 'a'.repeat(40), tags: [1, 2, 3] })
  for (let length = 1; length < whole.length; length++)
    assert.equal(readMsgpack(whole.subarray(0, length)), undefined, `${length} bytes`)
  assert.equal(readMsgpack(Uint8Array.of(0xc1)), undefined)
  assert.equal(readMsgpack(Uint8Array.of(0xdd, 0xff, 0xff, 0xff, 0xff)), undefined)
  assert.equal(readMsgpack(encode(Array.from({ length: 10_001 }, () => 1))), undefined)
  assert.deepEqual(readMsgpack(new Uint8Array(0)), [])
})

test('nesting ends at 32', () => {
  assert.deepEqual(readMsgpack(encode(nested(32))), [nested(32)])
  assert.equal(readMsgpack(encode(nested(33))), undefined)
})

test('a megabyte of arrays in arrays takes no memory', () => {
  const bomb = Buffer.alloc(999_999)
  for (let at = 0; at < bomb.length; at += 3) bomb.set([0xdc, 0x27, 0x10], at)
  const before = process.memoryUsage().rss
  assert.equal(readMsgpack(bomb), undefined)
  assert.ok(process.memoryUsage().rss - before < 50_000_000)
})

test('a key that would change the prototype is refused', () => {
  const bytes = encode({ aproto___: 1 })
  const key = Buffer.from('__proto__')
  Buffer.from(bytes.buffer, bytes.byteOffset).set(key, 2)
  assert.equal(readMsgpack(bytes), undefined)
})
