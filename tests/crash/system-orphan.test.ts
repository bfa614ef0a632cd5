/** A back whose front was killed must not keep the data folder from the next start. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { backPidOf, isAlive, killNow } from '../harness/processes.ts'
import {
  type RunningSonde,
  startSonde,
  temporaryDataDir,
  WITHOUT_SPIKE_LIMITS,
} from '../harness/start-sonde.ts'

const ENDS_WITHIN_MS = 10_000

async function nextBackPid(frontPid: number, before: number): Promise<number> {
  for (;;) {
    const pid = backPidOf(frontPid)
    if (pid !== undefined && pid !== before) return pid
    await sleep(5)
  }
}

async function endsByItself(pid: number): Promise<void> {
  const endMs = Date.now() + ENDS_WITHIN_MS
  while (isAlive(pid)) {
    assert.ok(Date.now() < endMs, `the back ${pid} lives on without its front`)
    await sleep(20)
  }
}

async function withSonde(run: (running: RunningSonde) => Promise<RunningSonde>): Promise<void> {
  const data = temporaryDataDir()
  let running = await startSonde({ dataDir: data.dir, env: WITHOUT_SPIKE_LIMITS })
  try {
    running = await run(running)
    assert.equal(await running.stop(), 0)
  } finally {
    running.child.kill('SIGKILL')
    data.remove()
  }
}

void test('a front that dies while its back is starting leaves no back behind', async () => {
  await withSonde(async (running) => {
    const frontPid = running.child.pid ?? 0
    const first = backPidOf(frontPid) ?? 0
    await killNow(first)
    const starting = await nextBackPid(frontPid, first)
    await running.kill()
    await endsByItself(starting)
    return startSonde({ dataDir: running.dataDir, env: WITHOUT_SPIKE_LIMITS })
  })
})

void test('a start right after the front was killed waits for the back that is still ending', async () => {
  await withSonde(async (running) => {
    const orphan = backPidOf(running.child.pid ?? 0) ?? 0
    // Stands for a back on a busy machine: it notices the front's death two seconds late.
    process.kill(orphan, 'SIGSTOP')
    setTimeout(() => process.kill(orphan, 'SIGCONT'), 2_000)
    await running.kill()
    return startSonde({ dataDir: running.dataDir, env: WITHOUT_SPIKE_LIMITS })
  })
})
