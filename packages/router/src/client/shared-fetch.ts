/**
 * A fetch that several may wait for. It is aborted when nobody does any more, a moment later, so that
 * a second click on the same link joins it instead of asking the server again.
 */
import type { FetchMode, FetchPage, PageAnswer } from './fetch-page.ts'
import type { Timers } from './timers.ts'

export type SharedFetch = {
  readonly mode: FetchMode
  readonly answer: Promise<PageAnswer>
  /** Counts the caller in; what it returns counts it out again and may be called twice. */
  hold(): () => void
}

export function startSharedFetch(
  url: string,
  mode: FetchMode,
  { fetchPage, timers }: { readonly fetchPage: FetchPage; readonly timers: Timers },
): SharedFetch {
  const controller = new AbortController()
  let holders = 0
  return {
    mode,
    answer: fetchPage(url, mode, controller.signal),
    hold() {
      let holding = true
      holders++
      return () => {
        if (!holding) return
        holding = false
        holders--
        if (holders > 0) return
        timers.after(0, () => {
          if (holders === 0) controller.abort()
        })
      }
    },
  }
}
