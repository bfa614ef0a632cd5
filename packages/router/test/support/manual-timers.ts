import type { Timers } from '../../src/client/pending.ts'

/** Time that moves only when told. */
export function manualTimers(): Timers & { advance(ms: number): void } {
  let nowMs = 1000
  let waiting: { atMs: number; callback: () => void }[] = []
  return {
    nowMs: () => nowMs,
    after(delayMs, callback) {
      const timer = { atMs: nowMs + delayMs, callback }
      waiting.push(timer)
      return () => {
        waiting = waiting.filter((other) => other !== timer)
      }
    },
    advance(ms) {
      nowMs += ms
      const due = waiting.filter((timer) => timer.atMs <= nowMs).toSorted((a, b) => a.atMs - b.atMs)
      waiting = waiting.filter((timer) => timer.atMs > nowMs)
      for (const timer of due) timer.callback()
    },
  }
}
