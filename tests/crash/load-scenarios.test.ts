/** Each scenario of `npm run load` for a second or two: what must hold always holds. No times are held to anything here. */
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { WITHOUT_SPIKE_LIMITS } from '../harness/start-sonde.ts'
import { SCENARIOS } from '../load/attacks.ts'
import { type LoadPlace, openLoadPlace } from '../load/load-place.ts'
import { measure } from '../load/measure.ts'

const PLAN = {
  forMs: 400,
  quietMs: 300,
  probeMs: 200,
  kneePerSec: 100,
  share: 0.01,
  say: () => undefined,
}

describe('a scenario of load', () => {
  let place: LoadPlace
  before(async () => {
    place = await openLoadPlace(3, WITHOUT_SPIKE_LIMITS)
  })
  after(() => place.close())

  for (const scenario of SCENARIOS)
    test(`${scenario.name}: who behaves loses nothing, refusals name a time, everything has its outcome`, async () => {
      const { invariants, behaved } = await measure(scenario, place, PLAN)
      assert.deepEqual(
        invariants.filter(({ ok }) => !ok),
        [],
      )
      assert.ok(behaved.sent > 0)
    })
})
