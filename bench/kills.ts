/** Figure 6: events that were acknowledged and are gone, or stand there twice, after `kill -9` under load. */
import { setTimeout as sleep } from 'node:timers/promises'
import { killVictim, type Victim } from '../tests/crash/kill-victim.ts'
import { startSender } from '../tests/crash/sender.ts'
import { apiClient, createProject } from '../tests/harness/api-client.ts'
import { startSonde, temporaryDataDir, WITHOUT_SPIKE_LIMITS } from '../tests/harness/start-sonde.ts'
import { storeAll } from '../tests/harness/store-all.ts'
import { countedEvents, storedEventIds } from '../tests/harness/stored-events.ts'
import { type Figure, median } from './report/figure.ts'

const VICTIMS: readonly Victim[] = ['back', 'front', 'both', 'back', 'front', 'both']
const RATE_PER_SEC = 500
const MIN_LIFE_MS = 100
const MAX_LIFE_MS = 2_500
const STUCK_AFTER_MS = 30_000

export async function kills(say: (text: string) => void): Promise<Figure[]> {
  const data = temporaryDataDir()
  let running = await startSonde({ dataDir: data.dir, env: WITHOUT_SPIKE_LIMITS })
  const project = createProject(running, 'acme/shop')
  await storeAll(running, project)
  const api = apiClient(running)
  const sender = await startSender(running.port, project)
  const awayMs: number[] = []
  try {
    sender.start({ connections: 16, ratePerSec: RATE_PER_SEC })
    for (const victim of VICTIMS) {
      const lifeMs = MIN_LIFE_MS + Math.random() * (MAX_LIFE_MS - MIN_LIFE_MS)
      await sleep(lifeMs)
      const killedMs = performance.now()
      running = await killVictim(victim, running)
      if (victim !== 'back') awayMs.push(performance.now() - killedMs)
      say(`kill -9 of ${victim} after ${lifeMs.toFixed(0)} ms, ${sender.acknowledged.size} acknowledged`)
    }
    await sleep(500)
    await sender.stop()
    await untilQuiet(() => countedEvents(api, project), sender.acknowledged.size)
    const stored = await storedEventIds(api, project)
    const counted = await countedEvents(api, project)
    const ids = new Set(stored)
    const lost = [...sender.acknowledged].filter((id) => !ids.has(id)).length
    await running.stop()
    const figure = (name: string, value: number): Figure => ({
      part: 'kill -9',
      name,
      value,
      unit: '',
      budget: { text: '0', isMet: value === 0 },
    })
    return [
      figure(
        `lost of ${sender.acknowledged.size.toLocaleString('en')} acknowledged, ${VICTIMS.length} kills`,
        lost,
      ),
      figure('stored twice', stored.length - ids.size),
      figure('counted wrongly', Math.abs(counted - ids.size)),
      { part: 'kill -9', name: 'killed front to ready again', value: median(awayMs) / 1000, unit: 's' },
    ]
  } finally {
    running.child.kill('SIGKILL')
    sender.close()
    data.remove()
  }
}

/** What never answered may be stored as well: waits for `atLeast`, and then until nothing more comes. */
async function untilQuiet(count: () => Promise<number>, atLeast: number): Promise<void> {
  let seen = -1
  const endMs = Date.now() + STUCK_AFTER_MS
  for (;;) {
    // The back may be coming up.
    const now = await count().catch(() => seen)
    if (now >= atLeast && now === seen) return
    if (Date.now() > endMs) return
    seen = now
    await sleep(1_000)
  }
}
