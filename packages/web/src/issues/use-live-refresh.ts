import { useRevalidate } from '@sonde/router'
import { useEffect } from 'react'

/** Rows that move away from under a pointer are pressed by mistake. */
const QUIET_AFTER_POINTER_MS = 2_500

/**
 * Fetches the page's data again every `everyMs` while the page can be seen and nobody points at it; at once when it
 * is seen again. The next fetch waits for the one before.
 */
export function useLiveRefresh(everyMs: number, isOn: boolean): void {
  const revalidate = useRevalidate()
  useEffect(() => {
    if (!isOn) return undefined
    let timer: ReturnType<typeof setTimeout> | undefined
    let isStopped = false
    let pointedAtMs = 0
    const schedule = (afterMs: number): void => {
      clearTimeout(timer)
      timer = setTimeout(() => void refresh(), afterMs)
    }
    const refresh = async (): Promise<void> => {
      if (document.visibilityState !== 'visible') return
      const quietMs = pointedAtMs + QUIET_AFTER_POINTER_MS - Date.now()
      if (quietMs > 0) return schedule(quietMs)
      await revalidate()
      if (!isStopped) schedule(everyMs)
    }
    const seen = (): void => {
      if (document.visibilityState === 'visible') schedule(0)
    }
    const pointed = (): void => {
      pointedAtMs = Date.now()
    }
    document.addEventListener('visibilitychange', seen)
    document.addEventListener('pointermove', pointed, { passive: true })
    schedule(everyMs)
    return () => {
      isStopped = true
      clearTimeout(timer)
      document.removeEventListener('visibilitychange', seen)
      document.removeEventListener('pointermove', pointed)
    }
  }, [revalidate, everyMs, isOn])
}
