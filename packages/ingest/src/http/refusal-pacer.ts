/**
 * Who goes on sending after "not now" waits for the next "not now". A connection that is refused at once sends again at once,
 * and a few hundred of them leave nothing of the event loop to other projects; one that waits costs one request a second.
 * docs/decisions/0092-refusals-of-a-flood-wait.md
 */
import { type Clock, steadyMs } from '@sonde/base'

export type RefusalPacer = {
  /** Undefined: answer at once. */
  wait(projectId: number): Promise<void> | undefined
  /** Nobody waits any more, nor will. */
  stop(): void
}

export type RefusalPace = {
  /** Of one project, answered at once: many pages that each learn it for the first time are no flood. */
  readonly refusalsPerSec: number
  readonly refusalWaitMs: number
  /** Of all projects. Each holds a connection; beyond that refusals are answered at once. */
  readonly refusalsWaiting: number
}

export function createRefusalPacer(pace: RefusalPace, clock: Clock): RefusalPacer {
  const { refusalsPerSec, refusalWaitMs, refusalsWaiting } = pace
  const waiting = new Map<() => void, NodeJS.Timeout>()
  // Only projects that were refused in this second.
  let counts = new Map<number, number>()
  let second = -1
  let isStopped = false

  const count = (projectId: number): number => {
    const now = Math.floor(steadyMs(clock) / 1_000)
    if (now !== second) counts = new Map()
    second = now
    const refused = (counts.get(projectId) ?? 0) + 1
    counts.set(projectId, refused)
    return refused
  }
  return {
    wait(projectId) {
      if (count(projectId) <= refusalsPerSec || waiting.size >= refusalsWaiting || isStopped) return undefined
      return new Promise((resolve) => {
        const answer = (): void => {
          waiting.delete(answer)
          resolve()
        }
        waiting.set(answer, setTimeout(answer, refusalWaitMs))
      })
    },
    stop() {
      isStopped = true
      for (const [answer, timer] of waiting) {
        clearTimeout(timer)
        answer()
      }
    },
  }
}
