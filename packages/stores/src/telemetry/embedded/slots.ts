/** Hands out a fixed set of connections, first come first served. */
export type Slots<T> = {
  /** Runs `job` with one of them; waits for one to be free. */
  use<Result>(job: (slot: T) => Promise<Result>): Promise<Result>
  /** Resolves when nobody runs or waits. */
  idle(): Promise<void>
}

export function createSlots<T>(all: readonly T[]): Slots<T> {
  const free = [...all]
  const waiting: ((slot: T) => void)[] = []
  const running = new Set<Promise<unknown>>()
  const take = (): Promise<T> => {
    const slot = free.pop()
    return slot === undefined ? new Promise((resolve) => waiting.push(resolve)) : Promise.resolve(slot)
  }
  const give = (slot: T): void => {
    const next = waiting.shift()
    if (next) next(slot)
    else free.push(slot)
  }
  return {
    use(job) {
      const run = async () => {
        const slot = await take()
        try {
          return await job(slot)
        } finally {
          give(slot)
        }
      }
      const promise = run()
      running.add(promise)
      const done = () => running.delete(promise)
      promise.then(done, done)
      return promise
    },
    async idle() {
      while (running.size > 0) await Promise.allSettled(running)
    },
  }
}
