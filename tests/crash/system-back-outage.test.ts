/** The front is what SDKs see: it goes on while the back is away, and brings it back. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { apiClient, createProject } from '../harness/api-client.ts'
import { backPidOf, killNow } from '../harness/processes.ts'
import { startSonde, temporaryDataDir, WITHOUT_SPIKE_LIMITS } from '../harness/start-sonde.ts'
import { storeAll } from '../harness/store-all.ts'
import { countedEvents } from '../harness/stored-events.ts'
import { assertNothingLost, drained } from './nothing-lost.ts'
import { startSender, underLoad } from './sender.ts'

const BACK_AGAIN_WITHIN_MS = 20_000

void test('a dead back costs no event: the front answers 200, starts another back, and all is stored', async () => {
  const data = temporaryDataDir()
  const running = await startSonde({ dataDir: data.dir, env: WITHOUT_SPIKE_LIMITS })
  const project = createProject(running, 'acme/shop')
  await storeAll(running, project)
  const api = apiClient(running)
  const sender = await startSender(running.port, project)
  const frontPid = running.child.pid ?? 0
  const readyz = async (): Promise<{ status: number; retryAfter: string | null }> => {
    const answer = await fetch(`${running.url}/readyz`)
    await answer.text()
    return { status: answer.status, retryAfter: answer.headers.get('retry-after') }
  }
  try {
    sender.start({ connections: 8, ratePerSec: 200 })
    await underLoad(sender, 100)
    const before = backPidOf(frontPid) ?? 0
    await killNow(before)
    const away = await readyz()
    assert.equal(away.status, 503)
    assert.match(away.retryAfter ?? '', /^\d+$/)
    assert.equal((await fetch(`${running.url}/healthz`)).status, 200)
    const acknowledgedAtDeath = sender.acknowledged.size
    const endMs = Date.now() + BACK_AGAIN_WITHIN_MS
    while ((await readyz()).status !== 200) {
      assert.ok(Date.now() < endMs, `no back after ${BACK_AGAIN_WITHIN_MS} ms\n${running.log()}`)
      await sleep(20)
    }
    const acknowledgedMeanwhile = sender.acknowledged.size - acknowledgedAtDeath
    assert.ok(
      acknowledgedMeanwhile > 10,
      `${acknowledgedMeanwhile} events were acknowledged during the outage`,
    )
    assert.notEqual(backPidOf(frontPid), before)
    const sent = await sender.stop()
    assert.equal(sent.ok, sent.scheduled, 'every request of the whole run was answered with 200')
    await drained(running)
    await assertNothingLost(api, project, sender)
    // Nothing was sent without an answer, so the counts are equal, not only large enough.
    assert.equal(await countedEvents(api, project), sender.acknowledged.size)
    assert.equal(await running.stop(), 0)
  } finally {
    running.child.kill('SIGKILL')
    sender.close()
    data.remove()
  }
})
