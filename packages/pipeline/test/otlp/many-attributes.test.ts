import assert from 'node:assert/strict'
import { test } from 'node:test'
import { MAX_VALUES } from '../../src/otlp/otlp-request.ts'
import { readOtlpProtobuf } from '../../src/otlp/read-protobuf.ts'

/** A field of bytes, its length in up to four. */
function field(number: number, value: Uint8Array): Buffer {
  const head = [(number << 3) | 2]
  let left = value.length
  for (; left >= 128; left >>= 7) head.push((left & 127) | 128)
  return Buffer.concat([Buffer.of(...head, left), value])
}

test('of a million attributes of a span, and of one of its events, no more are read than of any list', () => {
  const pairs = (number: number): Buffer =>
    Buffer.concat(
      Array.from({ length: 3 * MAX_VALUES }, (_, at) => field(number, field(1, Buffer.from(`k${at}`)))),
    )
  const long = Buffer.alloc(4_000_000, field(9, Buffer.alloc(0)))
  const span = Buffer.concat([pairs(9), field(11, pairs(3)), long])
  const before = process.threadCpuUsage()
  const [resource] = readOtlpProtobuf(field(1, field(2, field(2, span)))) ?? []
  const { user } = process.threadCpuUsage(before)
  const [read] = resource?.scopes[0]?.items ?? []
  assert.equal(Object.keys(read?.attributes ?? {}).length, MAX_VALUES)
  assert.equal(Object.keys(read?.events[0]?.attributes ?? {}).length, MAX_VALUES)
  assert.ok(user < 2_000_000, `${user} µs`)
})
