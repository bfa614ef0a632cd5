import assert from 'node:assert/strict'
import { test } from 'node:test'
import { fixedClock } from '@sonde/base'
import { createReadiness, type ReadinessOptions } from '../../src/back/readiness.ts'
import type { Role } from '../../src/modules.ts'

const yes = () => Promise.resolve()
const no = () => Promise.reject(new Error('connect ECONNREFUSED 10.1.2.3:5432'))
const never = () => new Promise(() => undefined)

function readinessOf(roles: readonly Role[], ask: ReadinessOptions['ask']) {
  const clock = fixedClock(0)
  return { clock, ready: createReadiness({ roles: new Set(roles), ask, clock, answerWithinMs: 20 }) }
}

const MISSING: readonly (readonly [readonly Role[], ReadinessOptions['ask'], readonly string[]])[] = [
  [['pipeline', 'web', 'maintain'], { records: yes, telemetry: yes }, []],
  [['pipeline'], { records: no, telemetry: no }, ['records: no answer', 'telemetry: no answer']],
  [['pipeline'], { records: yes, telemetry: never }, ['telemetry: no answer']],
  [['web'], { records: yes, telemetry: no }, []],
  [['web'], { records: never, telemetry: yes }, ['records: no answer']],
  [['maintain'], { records: no, telemetry: no }, ['records: no answer']],
  [['web', 'pipeline'], { records: yes }, []],
]

for (const [roles, ask, missing] of MISSING)
  test(`${roles.join(' and ')} are ready unless their engines are away: ${missing.join(', ') || 'none is'}`, async () => {
    assert.deepEqual(await readinessOf(roles, ask).ready(), missing)
  })

test('engines are asked once a second at most, and again after that', async () => {
  let asked = 0
  const { clock, ready } = readinessOf(['web'], { records: async () => ++asked })
  await Promise.all([ready(), ready(), ready()])
  clock.advance(999)
  await ready()
  assert.equal(asked, 1)
  clock.advance(1)
  await ready()
  assert.equal(asked, 2)
})

test('a clock that somebody sets back does not keep an old answer', async () => {
  let asked = 0
  const { clock, ready } = readinessOf(['web'], { records: async () => ++asked })
  clock.set(7_200_000)
  await ready()
  clock.set(0)
  clock.advance(1_000)
  await ready()
  assert.equal(asked, 2)
})
