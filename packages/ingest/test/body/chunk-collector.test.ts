import assert from 'node:assert/strict'
import { test } from 'node:test'
import * as fc from 'fast-check'
import { createChunkCollector } from '../../src/body/body-sink.ts'
import { collectGarbage } from '../support/collect-garbage.ts'

test('whatever the pieces, the whole is their bytes in order', () => {
  const sizes = fc.array(fc.oneof(fc.nat(20), fc.integer({ min: 4_000, max: 70_000 })), { maxLength: 40 })
  fc.assert(
    fc.property(sizes, (lengths) => {
      const collector = createChunkCollector()
      const chunks = lengths.map((length, index) => Buffer.alloc(length, index + 1))
      for (const chunk of chunks) collector.add(chunk)
      assert.equal(collector.bytes(), Buffer.concat(chunks).length)
      assert.ok(collector.take().equals(Buffer.concat(chunks)))
      assert.equal(collector.bytes(), 0)
    }),
    { numRuns: 50 },
  )
})

test('one piece is handed on without a copy', () => {
  const collector = createChunkCollector()
  const chunk = Buffer.from('whole body')
  collector.add(chunk)
  assert.equal(collector.take(), chunk)
})

test('a body of single bytes costs little more than its bytes', () => {
  const collector = createChunkCollector()
  collectGarbage()
  const before = process.memoryUsage()
  for (let count = 0; count < 1_000_000; count++) collector.add(Buffer.from([count & 0xff]))
  collectGarbage()
  const after = process.memoryUsage()
  assert.equal(collector.bytes(), 1_000_000)
  const held = after.heapUsed + after.arrayBuffers - before.heapUsed - before.arrayBuffers
  // A million Buffer objects would hold about 100 MB.
  assert.ok(held < 3e6, `${held} bytes`)
})
