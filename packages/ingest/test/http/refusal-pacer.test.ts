import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { fixedClock } from '@sonde/base'
import { createRefusalPacer } from '../../src/http/refusal-pacer.ts'
import { LIMITED_KEY, OTHER_PROJECT_KEY, PROJECT } from '../support/keys.ts'
import { eventEnvelope, send } from '../support/send.ts'
import { startIngest } from '../support/start-ingest.ts'

const NEVER_MS = 3_600_000

test('of a project the first refusals of each second are answered at once, others wait', () => {
  const clock = fixedClock(0)
  const pacer = createRefusalPacer({ refusalsPerSec: 2, refusalWaitMs: NEVER_MS, refusalsWaiting: 3 }, clock)
  const waits = (projectId: number): boolean => pacer.wait(projectId) !== undefined
  assert.deepEqual([waits(1), waits(1), waits(1)], [false, false, true])
  assert.deepEqual([waits(2), waits(2), waits(2)], [false, false, true])
  clock.advance(1_000)
  assert.deepEqual([waits(1), waits(1), waits(1)], [false, false, true])
  assert.equal(waits(1), false, 'as many wait as may')
  pacer.stop()
  assert.equal(waits(1), false, 'nobody waits for an end')
})

test('while a flood waits for its 429, other projects are answered, and an end answers it', async () => {
  const server = await startIngest({
    clock: fixedClock(0),
    limits: { refusalsPerSec: 1, refusalWaitMs: NEVER_MS, refusalsWaiting: 2 },
  })
  const body = eventEnvelope()
  const flood = () => send(server.port, `/api/${PROJECT}/envelope/?sentry_key=${LIMITED_KEY}`, { body })
  for (const status of [200, 200, 429]) assert.equal((await flood()).status, status)
  const held: number[] = []
  const waiting = [1, 2].map(async () => held.push((await flood()).status))
  const other = await send(server.port, `/api/99/envelope/?sentry_key=${OTHER_PROJECT_KEY}`, { body })
  assert.equal(other.status, 200)
  const refused = async (): Promise<string | undefined> =>
    /status="429",reason="key_quota"\} (\d+)/.exec(await server.metricsText())?.[1]
  while ((await refused()) !== '3') await sleep(5)
  assert.deepEqual(held, [])
  // More than may wait.
  assert.equal((await flood()).status, 429)
  await server.ingest.stop()
  await Promise.all(waiting)
  assert.deepEqual(held, [429, 429])
  await server.close()
})
