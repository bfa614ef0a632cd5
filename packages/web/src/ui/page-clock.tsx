/**
 * What time it is on the page. The server's clock decides, carried on by the browser's: a browser whose clock is
 * wrong would otherwise show "in 3min" for what just happened. The first render in the browser repeats the server's.
 */
import { createContext, type ReactNode, useContext, useEffect, useState, useSyncExternalStore } from 'react'

type PageClock = {
  /** When the server rendered the page, before `sync` moved on. */
  readonly startMs: number
  /** The same value for a whole second, so that a render sees one time. */
  readonly nowMs: () => number
  readonly sync: (serverNowMs: number) => void
  readonly subscribe: (listener: () => void) => () => void
}

function createPageClock(startMs: number): PageClock {
  let nowMs = startMs
  let aheadMs: number | undefined
  const listeners = new Set<() => void>()
  let timer: ReturnType<typeof setInterval> | undefined
  const tick = (): void => {
    if (aheadMs !== undefined) nowMs = Date.now() + aheadMs
    for (const listener of listeners) listener()
  }
  return {
    startMs,
    nowMs: () => nowMs,
    sync(serverNowMs) {
      aheadMs = serverNowMs - Date.now()
      tick()
    },
    subscribe(listener) {
      listeners.add(listener)
      timer ??= setInterval(tick, 1_000)
      return () => {
        listeners.delete(listener)
        if (listeners.size > 0) return
        clearInterval(timer)
        timer = undefined
      }
    },
  }
}

const ClockContext = createContext<PageClock>(createPageClock(0))

export function PageClockProvider({
  nowMs,
  children,
}: {
  readonly nowMs: number
  readonly children: ReactNode
}) {
  const [clock] = useState(() => createPageClock(nowMs))
  useEffect(() => clock.sync(nowMs), [clock, nowMs])
  return <ClockContext value={clock}>{children}</ClockContext>
}

/** A text that depends on the time; renders again only when the text changes. */
export function useTimeText(text: (nowMs: number) => string): string {
  const clock = useContext(ClockContext)
  return useSyncExternalStore(
    clock.subscribe,
    () => text(clock.nowMs()),
    () => text(clock.startMs),
  )
}

const never = (): (() => void) => () => {}

/** False on the server and in the first render of the browser, which must look the same. */
export function useIsInBrowser(): boolean {
  return useSyncExternalStore(
    never,
    () => true,
    () => false,
  )
}
