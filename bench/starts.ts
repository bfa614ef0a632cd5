/** Figure 7: from the command to "ready", with an empty data folder and with the one that the first start left. */
import { startSonde, temporaryDataDir, WITHOUT_SPIKE_LIMITS } from '../tests/harness/start-sonde.ts'
import { atMost, type Figure, median } from './report/figure.ts'

const ROUNDS = 3

export async function starts(): Promise<Figure[]> {
  const first: number[] = []
  const second: number[] = []
  for (let round = 0; round < ROUNDS; round++) {
    const data = temporaryDataDir()
    try {
      first.push(await timeStart(data.dir))
      second.push(await timeStart(data.dir))
    } finally {
      data.remove()
    }
  }
  const part = 'start'
  return [
    {
      part,
      name: 'first start to ready',
      value: median(first),
      unit: 's',
      budget: atMost(3, median(first), '3 s'),
    },
    {
      part,
      name: 'second start to ready',
      value: median(second),
      unit: 's',
      budget: atMost(1, median(second), '1 s'),
    },
  ]
}

async function timeStart(dataDir: string): Promise<number> {
  const startedMs = performance.now()
  const running = await startSonde({ dataDir, env: WITHOUT_SPIKE_LIMITS })
  const seconds = (performance.now() - startedMs) / 1000
  await running.stop()
  return seconds
}
