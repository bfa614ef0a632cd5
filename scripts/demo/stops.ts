/** What must be ended, in the reverse order of its start: also after Ctrl+C in the middle. */
export type Stops = {
  push(stop: () => unknown): void
  readonly isStopping: () => boolean
  /** Resolves at Ctrl+C. */
  readonly asked: Promise<void>
  all(): Promise<void>
}

export function createStops(): Stops {
  const stops: (() => unknown)[] = []
  let stopping = false
  const { promise: asked, resolve } = Promise.withResolvers<void>()
  const all = async (): Promise<void> => {
    stopping = true
    for (let stop = stops.pop(); stop; stop = stops.pop()) {
      try {
        await stop()
      } catch {
        // The others must be ended all the same.
      }
    }
  }
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    process.on(signal, () => {
      if (stopping) return
      resolve()
      void all().then(() => process.exit())
    })
  }
  return { push: (stop) => void stops.push(stop), isStopping: () => stopping, asked, all }
}
