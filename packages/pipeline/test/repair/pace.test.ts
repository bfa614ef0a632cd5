import assert from 'node:assert/strict'
import { it } from 'node:test'
import fc from 'fast-check'
import { restAfter } from '../../src/repair/pace.ts'

it('goes on at once when nothing arrives, and works an eighth of the time at full speed', () => {
  assert.equal(restAfter(800, 0), 5)
  assert.equal(restAfter(800, 5_000), 5_600)
  assert.equal(restAfter(800, 400), 2_800)
})

it('rests the longer the more arrives, and never for long', () => {
  const work = fc.integer({ min: 1, max: 60_000 })
  const arrived = fc.integer({ min: 0, max: 1_000_000 })
  fc.assert(
    fc.property(work, arrived, arrived, (workMs, a, b) => {
      const [less, more] = [Math.min(a, b), Math.max(a, b)]
      assert.ok(restAfter(workMs, less) <= restAfter(workMs, more))
      assert.ok(restAfter(workMs, more) <= 10_000)
    }),
  )
})
