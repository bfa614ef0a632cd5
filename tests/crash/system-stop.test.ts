/** SIGTERM: what runs ends in order, within the time that service managers grant. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { apiClient, createProject } from '../harness/api-client.ts'
import { backPidOf, isAlive } from '../harness/processes.ts'
import { startSonde, temporaryDataDir, WITHOUT_SPIKE_LIMITS } from '../harness/start-sonde.ts'
import { storeAll } from '../harness/store-all.ts'
import { assertNothingLost, drained } from './nothing-lost.ts'
import { startSender, underLoad } from './sender.ts'

const STOP_WITHIN_MS = 10_000

void test('SIGTERM under full load ends both processes with 0 within 10 s, and nothing acknowledged is lost', async () => {
  const data = temporaryDataDir()
  let running = await startSonde({ dataDir: data.dir, env: WITHOUT_SPIKE_LIMITS })
  const project = createProject(running, 'acme/shop')
  await storeAll(running, project)
  const api = apiClient(running)
  const sender = await startSender(running.port, project)
  try {
    // As fast as answers come: the log is ahead of the pipeline when the signal arrives.
    sender.start({ connections: 16, ratePerSec: undefined })
    await underLoad(sender, 1_000)
    const backPid = backPidOf(running.child.pid ?? 0) ?? 0
    const startedMs = performance.now()
    const code = await running.stop()
    const tookMs = performance.now() - startedMs
    await sender.stop()
    assert.equal(code, 0, running.log())
    assert.ok(tookMs < STOP_WITHIN_MS, `it took ${tookMs} ms`)
    assert.equal(isAlive(backPid), false, 'the back lives on')
    assert.ok(sender.acknowledged.size > 100, `only ${sender.acknowledged.size} were acknowledged: no load`)

    running = await startSonde({ dataDir: data.dir, port: running.port, env: WITHOUT_SPIKE_LIMITS })
    await drained(running)
    await assertNothingLost(api, project, sender)
    assert.equal(await running.stop(), 0)
  } finally {
    running.child.kill('SIGKILL')
    sender.close()
    data.remove()
  }
})
