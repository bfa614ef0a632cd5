/** What a Sonde costs to which nothing comes: processor time by thread, of front and back, over minutes. */
import { setTimeout as sleep } from 'node:timers/promises'
import { backPidOf } from '../tests/harness/processes.ts'
import { spentByName, threadTimes } from './idle/threads.ts'
import { startMeasuredSonde } from './measured-sonde.ts'
import { atMost, type Figure } from './report/figure.ts'

/** After the first start the engine merges what the migrations wrote. */
const SETTLE_MS = 60_000
const MAX_SHARE_PERCENT = 0.5
/** Threads below it are added up. */
const NAMED_FROM_PERCENT = 0.002

export async function idle(say: (text: string) => void, minutes: number): Promise<Figure[]> {
  if (process.platform !== 'linux') throw new Error('threads are read from /proc, which only Linux has')
  const sonde = await startMeasuredSonde()
  try {
    const front = sonde.running.child.pid ?? 0
    const pids = { front, back: backPidOf(front) ?? 0 }
    await sleep(SETTLE_MS)
    const before = { front: threadTimes(pids.front), back: threadTimes(pids.back) }
    const startMs = performance.now()
    say(`nothing happens for ${minutes} minutes`)
    await sleep(minutes * 60_000)
    const tookMs = performance.now() - startMs
    const figures: Figure[] = []
    let total = 0
    for (const process of ['front', 'back'] as const) {
      const spent = spentByName(before[process], threadTimes(pids[process]))
      let rest = 0
      for (const [name, ms] of spent) {
        const value = (ms / tookMs) * 100
        total += value
        if (value < NAMED_FROM_PERCENT) rest += value
        else figures.push({ part: 'idle', name: `${process}: ${name}`, value, unit: '% of a core' })
      }
      figures.push({ part: 'idle', name: `${process}: other threads`, value: rest, unit: '% of a core' })
    }
    const budget = atMost(MAX_SHARE_PERCENT, total, `${MAX_SHARE_PERCENT} %`)
    return [{ part: 'idle', name: 'front and back', value: total, unit: '% of a core', budget }, ...figures]
  } finally {
    await sonde.stop()
    sonde.remove()
  }
}
