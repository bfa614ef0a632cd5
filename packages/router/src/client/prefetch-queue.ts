/** Prefetch tasks: at most five at once (N4), the others wait in order. */

/** N4. HTTP/1.1 gives a host six connections in Chromium: one stays free for a navigation or a beacon. */
export const MAX_PREFETCHES = 5

export type PrefetchQueue = {
  /** Runs now or when a place is free. A key that runs or waits already is left as it is. */
  add(key: string, run: () => Promise<void>, options?: { readonly first?: boolean }): void
  /** Takes a waiting task out; false when it runs or is unknown. */
  drop(key: string): boolean
  isWaiting(key: string): boolean
  clear(): void
}

export function createPrefetchQueue(maxRunning: number = MAX_PREFETCHES): PrefetchQueue {
  const waiting = new Map<string, () => Promise<void>>()
  const running = new Set<string>()

  const startNext = (): void => {
    for (const [key, run] of waiting) {
      if (running.size >= maxRunning) return
      waiting.delete(key)
      running.add(key)
      const finished = (): void => {
        running.delete(key)
        startNext()
      }
      run().then(finished, finished)
    }
  }

  return {
    add(key, run, { first = false } = {}) {
      if (running.has(key)) return
      if (first) {
        const others = [...waiting].filter(([other]) => other !== key)
        waiting.clear()
        waiting.set(key, run)
        for (const [other, task] of others) waiting.set(other, task)
      } else if (!waiting.has(key)) {
        waiting.set(key, run)
      }
      startNext()
    },
    drop: (key) => waiting.delete(key),
    isWaiting: (key) => waiting.has(key),
    clear: () => waiting.clear(),
  }
}
