/** Asks the screens and `/api/0` through the load balancer all the time, as people and programs do, and remembers the gaps. */
import { setTimeout as sleep } from 'node:timers/promises'

const DOORS = ['screens', 'api'] as const
type Door = (typeof DOORS)[number]

export type Watch = {
  /** From now on gaps are measured and wrong answers remembered. */
  begin(): void
  /** Of both doors: the longest time without a right answer, in seconds. */
  gaps(): { readonly [door in Door]: number }
  /** What was answered instead of a 200, each once. */
  readonly wrong: ReadonlySet<string>
  stop(): Promise<void>
}

const ASK_EVERY_MS = 200

export function watchDoors(doors: { readonly [door in Door]: () => Promise<Response> }): Watch {
  const stopping = new AbortController()
  const wrong = new Set<string>()
  const longest = { screens: 0, api: 0 }
  const lastRight = { screens: performance.now(), api: performance.now() }
  const note = (door: Door): void => {
    longest[door] = Math.max(longest[door], performance.now() - lastRight[door])
  }
  const watch = async (door: Door): Promise<void> => {
    while (!stopping.signal.aborted) {
      try {
        const answer = await doors[door]()
        const text = await answer.text()
        if (answer.status === 200) {
          note(door)
          lastRight[door] = performance.now()
        } else wrong.add(`${door}: ${answer.status} ${text.slice(0, 200)}`)
      } catch (error) {
        wrong.add(`${door}: ${String(error)}`)
      }
      await sleep(ASK_EVERY_MS, undefined, { signal: stopping.signal }).catch(() => undefined)
    }
  }
  const watching = Promise.all(DOORS.map(watch))
  return {
    wrong,
    begin() {
      wrong.clear()
      const nowMs = performance.now()
      for (const door of DOORS) {
        longest[door] = 0
        lastRight[door] = nowMs
      }
    },
    gaps() {
      DOORS.forEach(note)
      return { screens: longest.screens / 1_000, api: longest.api / 1_000 }
    },
    async stop() {
      stopping.abort()
      await watching
    },
  }
}
