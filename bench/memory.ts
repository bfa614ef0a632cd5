/** Figure 4: memory of both processes, as the system counts it. */
import type { Memory } from './machine/processes.ts'
import type { MeasuredSonde } from './measured-sonde.ts'
import { atMost, type Figure } from './report/figure.ts'

const LOOK_EVERY_MS = 500
const MB = 1024 * 1024

type Both = { readonly front: Memory; readonly back: Memory }

/** The highest sum that is seen until `stop`. */
export function watchMemory(sonde: Pick<MeasuredSonde, 'memory'>): { stop(): Both | undefined } {
  let highest: Both | undefined
  const timer = setInterval(() => {
    const now = sonde.memory()
    if (now && (!highest || sum(now, 'rssBytes') > sum(highest, 'rssBytes'))) highest = now
  }, LOOK_EVERY_MS)
  return {
    stop() {
      clearInterval(timer)
      return highest
    },
  }
}

/** None where the system does not tell. */
export function memoryFigures(idle: Both | undefined, atKnee: Both | undefined): Figure[] {
  if (!idle || !atKnee) return []
  return [
    { ...figure('RSS idle, front + back', sum(idle, 'rssBytes')), budget: limit(sum(idle, 'rssBytes'), 350) },
    {
      ...figure('private idle, front + back', sum(idle, 'privateBytes')),
      budget: limit(sum(idle, 'privateBytes'), 150),
    },
    figure('RSS idle, front alone', idle.front.rssBytes),
    {
      ...figure('RSS up to the knee, highest', sum(atKnee, 'rssBytes')),
      budget: limit(sum(atKnee, 'rssBytes'), 900),
    },
    figure('private up to the knee', sum(atKnee, 'privateBytes')),
    figure('RSS up to the knee, front alone', atKnee.front.rssBytes),
  ]
}

function sum({ front, back }: Both, key: keyof Memory): number {
  return front[key] + back[key]
}

function figure(name: string, bytes: number): Figure {
  return { part: 'memory', name, value: bytes / MB, unit: 'MB' }
}

function limit(bytes: number, megabytes: number): NonNullable<Figure['budget']> {
  return atMost(megabytes, bytes / MB, `${megabytes} MB`)
}
