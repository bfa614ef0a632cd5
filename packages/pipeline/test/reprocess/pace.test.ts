import assert from 'node:assert/strict'
import { it } from 'node:test'
import fc from 'fast-check'
import { createThrottle, pauseAfter } from '../../src/reprocess/start-reprocessing.ts'

it('goes on at once when nothing arrives, and works an eighth of the time at full speed', () => {
  assert.equal(pauseAfter(800, 0), 5)
  assert.equal(pauseAfter(800, 5_000), 5_600)
  assert.equal(pauseAfter(800, 400), 2_800)
})

it('rests the longer the more arrives, and never for long', () => {
  const work = fc.integer({ min: 1, max: 60_000 })
  const arrived = fc.integer({ min: 0, max: 1_000_000 })
  fc.assert(
    fc.property(work, arrived, arrived, (workMs, a, b) => {
      const [less, more] = [Math.min(a, b), Math.max(a, b)]
      assert.ok(pauseAfter(workMs, less) <= pauseAfter(workMs, more))
      assert.ok(pauseAfter(workMs, more) <= 10_000)
    }),
  )
})

it('rests after each piece of work by what arrived during that piece', async () => {
  const rests: number[] = []
  let committed = 0
  const pace = createThrottle(
    () => committed,
    async (ms) => {
      rests.push(ms)
      // What arrives while it rests is no reason to rest again.
      committed += 1_000_000
    },
  )
  pace.begin()
  await pace.rest()
  assert.equal(rests[0], 5)
  committed += 1_000_000
  const beganMs = performance.now()
  while (performance.now() - beganMs < 3);
  await pace.rest()
  assert.ok((rests[1] ?? 0) >= 21, `${rests[1]}`)
  await pace.rest()
  assert.equal(rests[2], 5)
})
