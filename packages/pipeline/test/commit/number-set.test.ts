/** A set of 32-bit numbers is one, up to the most that it may have. */
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { createNumberSet } from '../../src/commit/number-set.ts'

const numbers = fc.array(fc.oneof(fc.nat({ max: 50 }), fc.integer({ min: 0, max: 2 ** 32 - 1 })))

describe('a set of numbers', () => {
  it('has what was added and nothing else', () => {
    fc.assert(
      fc.property(numbers, numbers, (added, asked) => {
        const set = createNumberSet(1_000)
        for (const number of added) set.add(number)
        const model = new Set(added)
        assert.equal(set.size, model.size)
        for (const number of [...added, ...asked]) assert.equal(set.has(number), model.has(number))
      }),
    )
  })

  it('takes no more than it may', () => {
    const set = createNumberSet(3)
    for (const number of [0, 7, 2 ** 32 - 1, 8, 7]) set.add(number)
    assert.equal(set.size, 3)
    assert.deepEqual(
      [0, 7, 2 ** 32 - 1, 8].map((number) => set.has(number)),
      [true, true, true, false],
    )
  })

  it('is quick however the numbers were chosen', () => {
    for (const step of [1, 2 ** 12, 2 ** 14 + 1]) {
      const set = createNumberSet(200_000)
      const beganMs = performance.now()
      for (let n = 0; n < 200_000; n++) set.add((n * step) % 2 ** 32)
      assert.equal(set.size, 200_000)
      const tookMs = performance.now() - beganMs
      assert.ok(tookMs < 1_000, `${tookMs} ms by steps of ${step}`)
    }
  })
})
