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
