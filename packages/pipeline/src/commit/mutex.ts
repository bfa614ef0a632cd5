/** One at a time, in the order of asking: a batch is committed, or issues are merged, never both. */
export type Turns = {
  /** Undefined when `signal` ended the wait; a job that began is never interrupted. */
  take<Result>(job: () => Promise<Result>, signal?: AbortSignal): Promise<Result | undefined>
}

export function createTurns(): Turns {
  let last: Promise<unknown> = Promise.resolve()
  return {
    async take(job, signal) {
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
