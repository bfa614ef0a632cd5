/** Who may run at the same time: a mutex, a pool of things that are used by one at a time, a semaphore, and a list in parts. */
import { UnavailableError } from './errors.ts'

export type Mutex = {
  /**
   * One job at a time, in the order of asking. Undefined when `signal` ended the wait; a job that began is never
   * interrupted.
   */
  run<Result>(job: () => Promise<Result>, signal?: AbortSignal): Promise<Result | undefined>
}

export function createMutex(): Mutex {
  let last: Promise<unknown> = Promise.resolve()
  return {
    async run(job, signal) {
      const before = last
      const turn = Promise.withResolvers<void>()
      // Whoever gave up waiting ends with the one before, so that those behind it keep their order.
      last = before.then(() => turn.promise)
      const givenUp = Promise.withResolvers<void>()
      const giveUp = (): void => givenUp.resolve()
      signal?.addEventListener('abort', giveUp)
      try {
        if (!signal?.aborted) await Promise.race([before, givenUp.promise])
        return signal?.aborted ? undefined : await job()
      } finally {
        signal?.removeEventListener('abort', giveUp)
        turn.resolve()
      }
    },
  }
}

export type Pool<Member> = {
  /** Runs `job` with a free member, or waits for one: first come, first served. */
  use<Result>(job: (member: Member) => Promise<Result>): Promise<Result>
  /** Resolves when nobody runs or waits. */
  idle(): Promise<void>
}

export function createPool<Member>(members: readonly Member[]): Pool<Member> {
  const free = [...members]
  const waiting: ((member: Member) => void)[] = []
  const running = new Set<Promise<unknown>>()
  const take = (): Promise<Member> => {
    const member = free.pop()
    return member === undefined ? new Promise((resolve) => waiting.push(resolve)) : Promise.resolve(member)
  }
  const give = (member: Member): void => {
    const next = waiting.shift()
    if (next) next(member)
    else free.push(member)
  }
  return {
    use(job) {
      const run = async () => {
        const member = await take()
        try {
          return await job(member)
        } finally {
          give(member)
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

/** Runs `job` for each, in their order and so many at once. Those that did not begin when `signal` ended are left out. */
export async function forEachAtOnce<Item>(
  items: readonly Item[],
  atOnce: number,
  signal: AbortSignal,
  job: (item: Item) => Promise<void>,
): Promise<void> {
  const rest = items.values()
  const worker = async (): Promise<void> => {
    for (const item of rest) {
      if (signal.aborted) return
      await job(item)
    }
  }
  await Promise.all(Array.from({ length: atOnce }, worker))
}

/** Resolves to what is called to leave; a second call does nothing. */
export type Semaphore = () => Promise<() => void>

/**
 * Lets so many in at once; the others wait. After `waitMs` they get an `UnavailableError`: `what` names, in the plural,
 * what there is too much of.
 */
export function createSemaphore(
  permits: number,
  { waitMs, operation, what }: { readonly waitMs: number; readonly operation: string; readonly what: string },
): Semaphore {
  let inside = 0
  const waiting = new Set<() => void>()

  const leave = (): void => {
    const [next] = waiting
    if (next) {
      waiting.delete(next)
      next()
    } else inside--
  }
  const once = (): (() => void) => {
    let hasLeft = false
    return () => {
      if (!hasLeft) leave()
      hasLeft = true
    }
  }

  return () => {
    if (inside < permits) {
      inside++
      return Promise.resolve(once())
    }
    return new Promise((resolve, reject) => {
      const enter = (): void => {
        clearTimeout(late)
        resolve(once())
      }
      const late = setTimeout(() => {
        waiting.delete(enter)
        reject(new UnavailableError(`too many ${what} at once`, { operation, retryAfterSec: 5 }))
      }, waitMs)
      waiting.add(enter)
    })
  }
}
