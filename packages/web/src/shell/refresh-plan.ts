/** When a page that shows what arrives is fetched again. */

/** At most so often, however much arrives. */
const AT_MOST_EVERY_MS = 2_000

type RefreshPlan = {
  /** Something of the page changed. What is being fetched just now may be older than that: then another fetch follows. */
  changed(): void
  /** Nothing is known to have changed; fetches in so long all the same, unless it is due before. */
  assure(inMs: number): void
  /** Forgets what was planned. */
  forget(): void
  /** Nothing is fetched any more. */
  stop(): void
}

/** `fetch` is never called while it runs. `assureMs`: how long after a fetch the next one follows without a change. */
export function createRefreshPlan(
  fetch: () => Promise<void>,
  assureMs: () => number,
  // Not the date: a computer whose clock is set back would wait for as long.
  nowMs: () => number = () => performance.now(),
): RefreshPlan {
  let timer: ReturnType<typeof setTimeout> | undefined
  let dueMs = Infinity
  let lastMs = -Infinity
  let isFetching = false
  let isStale = false
  let isStopped = false

  const plan = (inMs: number): void => {
    const atMs = Math.max(nowMs() + inMs, lastMs + AT_MOST_EVERY_MS)
    if (atMs >= dueMs || isStopped) return
    clearTimeout(timer)
    dueMs = atMs
    timer = setTimeout(() => void run(), atMs - nowMs())
  }
  const run = async (): Promise<void> => {
    dueMs = Infinity
    isFetching = true
    isStale = false
    try {
      await fetch()
    } finally {
      isFetching = false
      lastMs = nowMs()
      plan(isStale ? 0 : assureMs())
    }
  }
  const forget = (): void => {
    clearTimeout(timer)
    dueMs = Infinity
    isStale = false
  }
  return {
    changed() {
      if (isFetching) isStale = true
      else plan(0)
    },
    assure(inMs) {
      if (!isFetching) plan(inMs)
    },
    forget,
    stop() {
      isStopped = true
      forget()
    },
  }
}
