/** Code that a first load does not wait for: asked for once the page runs, and by every navigation after that. */

export type LaterCode<Value> = {
  get(): Value | undefined
  /** Rejects when it cannot be had; the next call tries again. */
  load(): Promise<void>
}

const all = new Set<LaterCode<unknown>>()
// The server has its code at hand.
let isRunning = typeof document === 'undefined'

export function laterCode<Value>(importer: () => Promise<Value>): LaterCode<Value> {
  let loaded: Value | undefined
  let loading: Promise<void> | undefined
  const code: LaterCode<Value> = {
    get: () => loaded,
    load() {
      loading ??= importer().then(
        (value) => {
          loaded = value
        },
        (error: unknown) => {
          loading = undefined
          throw error
        },
      )
      return loading
    },
  }
  all.add(code)
  if (isRunning) code.load().catch(() => {})
  return code
}

/** The page runs: from now on nothing is left for later. Rejects when some of it cannot be had. */
export async function loadLaterCode(): Promise<void> {
  isRunning = true
  await Promise.all([...all].map((code) => code.load()))
}

/** What a navigation waits for; a first load does not. */
export const laterCodeOfNavigation = (): Promise<void> => (isRunning ? loadLaterCode() : Promise.resolve())
