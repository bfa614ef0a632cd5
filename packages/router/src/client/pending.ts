/** Whether something has kept a person waiting for longer than a moment. */
import type { Timers } from './timers.ts'

/** Shorter waits flash an indicator that nobody can read. */
export const PENDING_AFTER_MS = 150

export type Pending = {
  /** Something began; what it returns says that it ended, and may be called twice. */
  begin(): () => void
  readonly isLate: () => boolean
  readonly subscribe: (listener: () => void) => () => void
}

export function createPending(timers: Timers): Pending {
  const listeners = new Set<() => void>()
  let running = 0
  let late = false
  let cancel: (() => void) | undefined
  const setLate = (value: boolean): void => {
    if (late === value) return
    late = value
    for (const listener of listeners) listener()
  }
  return {
    begin() {
      let ended = false
      running++
      if (running === 1) cancel = timers.after(PENDING_AFTER_MS, () => setLate(true))
      return () => {
        if (ended) return
        ended = true
        running--
        if (running > 0) return
        cancel?.()
        setLate(false)
      }
    },
    isLate: () => late,
    subscribe(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
  }
}
