/** Guarantees G1 and G2 of the whole: `kill -9` of any process at any moment, under load. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { apiClient, createProject } from '../harness/api-client.ts'
import { startSonde, temporaryDataDir, WITHOUT_SPIKE_LIMITS } from '../harness/start-sonde.ts'
import { storeAll } from '../harness/store-all.ts'
import { killVictim, type Victim } from './kill-victim.ts'
import { assertNothingLost, drained } from './nothing-lost.ts'
import { startSender, underLoad } from './sender.ts'

const VICTIMS: readonly Victim[] = ['back', 'front', 'both', 'back', 'front', 'back', 'both']
// So many that each batch has dozens of events, so few that all can be listed afterwards.
const RATE_PER_SEC = 300
// From "just came up, still repeating what the last one left" to "in full swing".
const MIN_LIFE_MS = 50
const MAX_LIFE_MS = 2_500

void test(`${VICTIMS.length} kills under load lose nothing acknowledged and show nothing twice`, async (context) => {
  const seed = Date.now() % 100_000
  const data = temporaryDataDir()
  let running = await startSonde({ dataDir: data.dir, env: WITHOUT_SPIKE_LIMITS })
  const project = createProject(running, 'acme/shop')
  await storeAll(running, project)
  const api = apiClient(running)
  const sender = await startSender(running.port, project)
  try {
    sender.start({ connections: 16, ratePerSec: RATE_PER_SEC })
    for (const [at, victim] of VICTIMS.entries()) {
      const lifeMs = MIN_LIFE_MS + ((seed * (at + 1) * 7919) % (MAX_LIFE_MS - MIN_LIFE_MS))
      context.diagnostic(`${lifeMs} ms, then kill -9 of ${victim} (seed ${seed})`)
      await sleep(lifeMs)
      running = await killVictim(victim, running)
    }
    await underLoad(sender, RATE_PER_SEC)
    const sent = await sender.stop()
    assert.ok(
      sender.acknowledged.size > RATE_PER_SEC,
      `only ${sender.acknowledged.size} were acknowledged: no load`,
    )
    assert.equal(sent.wrong, 0, 'an answer was neither 200, 429 nor 503')
    await drained(running)
    const stored = await assertNothingLost(api, project, sender)
    context.diagnostic(
      `${sent.scheduled} sent, ${sender.acknowledged.size} acknowledged, ${stored} stored, ${sent.failed} met a dead front`,
    )
    assert.equal(await running.stop(), 0)
  } finally {
    running.child.kill('SIGKILL')
    sender.close()
    data.remove()
  }
})
