/** Whether something has kept a person waiting for longer than a moment. */

/** Time as a parameter, so that tests move it. */
export type Timers = {
  nowMs(): number
  /** Calls back once; returns what cancels it. */
  after(delayMs: number, callback: () => void): () => void
}

export const systemTimers: Timers = {
  nowMs: () => performance.now(),
  after(delayMs, callback) {
    const timer = setTimeout(callback, delayMs)
    return () => clearTimeout(timer)
  },
}

/** Shorter waits flash an indicator that nobody can read. */
const PENDING_AFTER_MS = 150

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
