import assert from 'node:assert/strict'
import { test } from 'node:test'
import * as fc from 'fast-check'
import { createMemoryBudget } from '../../src/body/memory-budget.ts'

test('one owner gets no more than its share, the others still get theirs', () => {
  const budget = createMemoryBudget(100, 0.5)
  const noisy = budget.lease(1)
  assert.equal(noisy.take(50), true)
  assert.equal(budget.lease(1).take(1), false)
  const quiet = budget.lease(2)
  assert.equal(quiet.take(50), true)
  assert.equal(budget.lease(3).take(1), false)
  noisy.release()
  noisy.release()
  assert.equal(budget.usedBytes(), 50)
  assert.equal(budget.lease(3).take(50), true)
})

test('the total is never passed, and everything comes back', () => {
  const steps = fc.array(fc.tuple(fc.nat(4), fc.nat(4), fc.nat(60)), { maxLength: 60 })
  fc.assert(
    fc.property(steps, (taken) => {
      const budget = createMemoryBudget(200, 0.6)
      const leases = [0, 1, 2, 3, 4].map((owner) => budget.lease(owner))
      for (const [take, release, bytes] of taken) {
        leases[take]?.take(bytes)
        assert.ok(budget.usedBytes() <= 200)
        if (bytes % 3 === 0) leases[release]?.release()
      }
      for (const lease of leases) lease.release()
      assert.equal(budget.usedBytes(), 0)
    }),
  )
})
