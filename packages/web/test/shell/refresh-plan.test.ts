import assert from 'node:assert/strict'
import { test, type TestContext } from 'node:test'
import { createRefreshPlan } from '../../src/shell/refresh-plan.ts'

const ASSURE_MS = 60_000

/** A plan on a clock that the test moves; each fetch ends when the test says so. */
function planned(t: TestContext) {
  t.mock.timers.enable({ apis: ['setTimeout', 'Date'], now: 1_000_000 })
  const running: PromiseWithResolvers<void>[] = []
  let begun = 0
  const plan = createRefreshPlan(
    () => {
      begun++
      const fetch = Promise.withResolvers<void>()
      running.push(fetch)
      return fetch.promise
    },
    () => ASSURE_MS,
    () => Date.now(),
  )
  t.after(() => plan.stop())
  const settled = async (): Promise<void> => {
    for (let turn = 0; turn < 5; turn++) await Promise.resolve()
  }
  return {
    plan,
    begun: () => begun,
    pass: (ms: number) => t.mock.timers.tick(ms),
    async end() {
      running.shift()?.resolve()
      await settled()
    },
  }
}

test('a change during a fetch is followed by another fetch, not by the next assurance', async (t) => {
  const { plan, begun, pass, end } = planned(t)
  plan.changed()
  pass(0)
  assert.equal(begun(), 1)
  plan.changed()
  pass(3_000)
  assert.equal(begun(), 1, 'one at a time')
  await end()
  pass(2_000)
  assert.equal(begun(), 2)
})

test('what changes in one fetch after the other is never forgotten', async (t) => {
  const { plan, begun, pass, end } = planned(t)
  plan.changed()
  pass(0)
  for (let round = 1; round <= 5; round++) {
    pass(5_000)
    plan.changed()
    await end()
    pass(2_000)
    assert.equal(begun(), round + 1)
  }
  await end()
  pass(10_000)
  assert.equal(begun(), 6, 'nothing changed during the last one')
})

test('many changes are one fetch, and it is asked again no sooner than two seconds later', async (t) => {
  const { plan, begun, pass, end } = planned(t)
  for (let change = 0; change < 10; change++) plan.changed()
  pass(0)
  await end()
  for (let change = 0; change < 10; change++) plan.changed()
  pass(1_999)
  assert.equal(begun(), 1)
  pass(1)
  assert.equal(begun(), 2)
})

test('without a change it assures itself, and a change comes before that', async (t) => {
  const { plan, begun, pass, end } = planned(t)
  plan.assure(ASSURE_MS)
  pass(ASSURE_MS - 1)
  assert.equal(begun(), 0)
  pass(1)
  assert.equal(begun(), 1)
  await end()
  pass(5_000)
  plan.changed()
  pass(0)
  assert.equal(begun(), 2)
})

test('what was planned is forgotten while nobody looks, and nothing follows once it stopped', async (t) => {
  const { plan, begun, pass, end } = planned(t)
  plan.changed()
  plan.forget()
  pass(10_000)
  assert.equal(begun(), 0)
  plan.changed()
  pass(0)
  plan.changed()
  plan.stop()
  await end()
  pass(10 * ASSURE_MS)
  assert.equal(begun(), 1)
})
